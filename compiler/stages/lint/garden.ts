import type { Fault } from '../../schema/diagnostics.ts';
import { linkedNames } from '../link.ts';
import { findMissing } from './agent.ts';
import { findLinkLoops } from './cycle.ts';
import { findDuplicates, findOverlaps } from './likeness.ts';
import { allUnits, type LintedGarden } from './plot.ts';
import { findGuaranteedLoad, findSizes } from './size.ts';
import { findBootCandidates, findRepeats, findUnreachable } from './trigger.ts';

export type { LintedGarden } from './plot.ts';

/** How well one garden will be recalled: what shows across its units before anything is indexed. */
export function lintGarden(garden: LintedGarden): Fault[] {
  return [
    ...findMissing(garden),
    ...findDuplicates(garden),
    ...findOverlaps(garden),
    ...findRepeats(garden),
    ...findUnreachable(garden, namedIn(garden)),
    ...findBootCandidates(garden),
    ...findSizes(garden),
    ...findGuaranteedLoad(garden),
    ...findLinkLoops(garden),
  ];
}

/** Every unit that something leads to: a link, `related`, `agent.yaml`. */
function namedIn(garden: LintedGarden): Set<string> {
  const { agent, folder } = garden;
  const listed = agent ? [agent.config.heartbeat_contract, ...agent.config.shared] : [];
  const linked = allUnits(garden).flatMap((unit) => linkedNames(unit, folder).filter((name) => name !== unit.name));
  return new Set([...listed, ...linked, ...(garden.namedElsewhere ?? [])]);
}
