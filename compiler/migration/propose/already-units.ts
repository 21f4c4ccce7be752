import type { Unit } from '../../schema/source/unit.ts';
import { placeOf, textKey } from '../documents/repeats.ts';
import type { Section } from '../documents/sections.ts';
import { draftAll, readCurrentState } from './drafts.ts';
import type { Dissected, MigrationOptions } from './proposal.ts';

/**
 * Without the sections that would become a second unit with the text of one that the agent has: written by hand, or
 * migrated from another file. A section whose unit is there keeps it.
 */
export function withoutUnits(
  dissected: Dissected,
  existing: ReadonlyMap<string, string>,
  { others = [], taken = [] }: MigrationOptions,
): Dissected {
  const units = new Map(others.map((it) => [textKey(it.content, it.delivery.files ?? []), it]));
  const isTwin = (it: Section) => unitOf(units, it) !== undefined;
  if (!dissected.sections.some(isTwin)) return dissected;
  const drafts = draftAll(dissected.sections, readCurrentState(existing), taken);
  const isKept = drafts.map(({ section, current }) => current !== undefined || !isTwin(section));
  const gone = dissected.sections.filter((_, i) => !isKept[i]);
  const leftOut = gone.map((it) => ({ ...placeOf(it), what: it.title, why: saidOf(unitOf(units, it)) }));
  return {
    ...dissected,
    sections: dissected.sections.filter((_, i) => isKept[i]),
    leftOut: [...dissected.leftOut, ...leftOut],
  };
}

const unitOf = (units: ReadonlyMap<string, Pick<Unit, 'name'>>, { text, document }: Section) =>
  units.get(textKey(text, document.front.patterns.files));

const saidOf = (unit: Pick<Unit, 'name'> | undefined) => `unit ${unit?.name ?? ''} already has exactly this text`;
