import type { CountTokens } from '../../schema/count-tokens.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { onlyInclude } from '../documents/includes.ts';
import { knownSections } from '../documents/known-sections.ts';
import type { LegacyText } from '../documents/known-unit.ts';
import type { LeftOut } from '../documents/left-out.ts';
import { distinctSections, placeOf, textKey } from '../documents/repeats.ts';
import { splitSections, type Section } from '../documents/sections.ts';
import { joinShort } from '../documents/short.ts';
import { draftAll, isFresh, readCurrentState, type UnitDraft } from './drafts.ts';
import { warnedIn } from './lint-proposal.ts';
import { planOf } from './plan.ts';
import { present, wordableOf } from './present.ts';
import type { AlwaysChoice, Dissected, Migration, MigrationOptions } from './proposal.ts';
import { asPhrases, type PhraseInputs } from './refused-triggers.ts';
import { refusalNotices, refusals, reword } from './reword.ts';
import { settleDrafts } from './settle.ts';

/** Takes documents apart (§21.6.3). @throws request_invalid if one would take too long to parse */
export function dissect(documents: readonly LegacyText[], countTokens: CountTokens): Dissected {
  const known = documents.map(knownSections);
  // a document whose text is all known has nothing else to say
  const others = documents.filter((it) => it.known === undefined || it.text.trim() !== '');
  const [included, whole] = [others.filter(isIncludeOnly), others.filter((it) => !isIncludeOnly(it))];
  const read = whole.map(({ path, text }) => {
    const found = splitSections(path, text, countTokens);
    return { ...found, sections: joinShort(found.sections, countTokens) };
  });
  const distinct = distinctSections(read.flatMap((it) => it.sections));
  return {
    sections: [...known.flatMap((it) => it.sections), ...distinct.sections],
    leftOut: [...[...known, ...read, distinct].flatMap((it) => it.leftOut), ...included.map(pointerOf)],
    notices: read.flatMap((it) => it.notices),
  };
}

const isIncludeOnly = ({ text }: LegacyText) => onlyInclude(text) !== null;

const pointerOf = ({ path, text }: LegacyText): LeftOut => {
  return { path, line: 1, what: path, why: `it only includes ${onlyInclude(text) ?? ''}: migrate that file` };
};

/**
 * Proposes one unit for each section (§21.6.3), and writes nothing. The units pass the coverage gate: those of
 * their triggers go that it does not find them by. If the unit of
 * a section exists already, `update` replaces its body only: its front matter, which the author may have edited, is
 * kept byte for byte. A file without the marker of a migration is never changed, and a section that is such a unit
 * already is left out.
 */
export async function proposeSettled(
  found: Dissected,
  documents: readonly LegacyText[],
  existing: ReadonlyMap<string, string>,
  options: MigrationOptions,
  inputs: PhraseInputs,
): Promise<Migration> {
  const dissected = withoutUnits(found, existing, options);
  const plan = planOf(dissected, existing, options);
  const current = readCurrentState(existing);
  const first = draftAll(plan.sections, current, options.taken ?? []);
  const drafts = await settleDrafts(first, inputs);
  const said = await answered(first, drafts, [...current.keys()], options, inputs);
  const read = { ...dissected, notices: [...dissected.notices, ...said.notices] };
  const proposed = present(read, plan, said.drafts, documents, existing, options, said.always);
  return { ...proposed, phrases: said.phrases };
}

/** The proposal after somebody has named the units and said when they are needed; the same gates hold. */
async function answered(
  first: readonly UnitDraft[],
  settled: readonly UnitDraft[],
  present: readonly string[],
  { answer, taken = [] }: MigrationOptions,
  inputs: PhraseInputs,
): Promise<
  { readonly drafts: readonly UnitDraft[]; readonly always: AlwaysChoice | null } & Pick<
    Migration,
    'notices' | 'phrases'
  >
> {
  const others = settled.filter((it) => !isFresh(it)).map(({ entry }) => entry.name);
  const names = [...others, ...present, ...taken];
  const said = await answer?.(settled.filter(isFresh).map(wordableOf), names);
  const { words = new Map(), always: chosen = null } = said ?? {};
  const always =
    chosen && new Map(settled.map(({ entry, section }) => [section, chosen.get(entry.name) ?? new Set<number>()]));
  if (words.size === 0) return { drafts: settled, always, notices: [], phrases: new Map() };
  const reworded = reword(first, words);
  const asked = reworded.map(({ draft }) => draft);
  const drafts = await settleDrafts(asked, inputs);
  const refused = refusals(reworded, drafts, warnedIn(asked, inputs));
  const phrases = await asPhrases(drafts, refused, inputs);
  return { drafts, always, notices: refusalNotices(refused, phrases), phrases };
}

/**
 * Without the sections that would become a second unit with the text of one that the agent has: written by hand, or
 * migrated from another file. A section whose unit is there keeps it.
 */
function withoutUnits(
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
