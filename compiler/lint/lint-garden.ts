import type { Diagnostic } from '../schema/diagnostics.ts';
import { linkedNames } from '../sources/links.ts';
import { findMissing } from './rules/agent.ts';
import { findLinkLoops } from './rules/cycle.ts';
import { findBareDescriptions, findDescriptionTwins } from './rules/description.ts';
import { findDuplicates, findOverlaps } from './rules/likeness.ts';
import { allUnits, type LintedGarden } from './rules/linted-garden.ts';
import { findOpenMarkup } from './rules/open-markup.ts';
import { findPhraseRepeats } from './rules/phrase.ts';
import { findGuaranteedLoad, findSizes } from './rules/size.ts';
import { findBootCandidates, findRepeats, findUnreachable } from './rules/trigger.ts';

export type { LintedGarden } from './rules/linted-garden.ts';

/** Checks across the units of one garden how well recall will find them, before anything is indexed. */
export function lintGarden(garden: LintedGarden): Diagnostic[] {
  return [
    ...findMissing(garden),
    ...findDuplicates(garden),
    ...findOverlaps(garden),
    ...findBareDescriptions(garden),
    ...findDescriptionTwins(garden),
    ...findRepeats(garden),
    ...findPhraseRepeats(garden),
    ...findUnreachable(garden, namedIn(garden)),
    ...findBootCandidates(garden),
    ...findSizes(garden),
    ...findOpenMarkup(garden),
    ...findGuaranteedLoad(garden),
    ...findLinkLoops(garden),
  ];
}

/** Every unit that a link, `related` or `agent.yaml` refers to. */
function namedIn(garden: LintedGarden): Set<string> {
  const { agent, folder } = garden;
  const listed = agent ? [agent.config.heartbeat_contract, ...agent.config.shared] : [];
  const linked = allUnits(garden).flatMap((unit) => linkedNames(unit, folder).filter((name) => name !== unit.name));
  return new Set([...listed, ...linked, ...(garden.namedElsewhere ?? [])]);
}
