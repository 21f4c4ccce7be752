import { buildPreviewGarden, type PreviewInputs } from '../../gardens/preview.ts';
import { measureCoverage, type JudgedUnit } from '../../quality/unit-coverage/coverage.ts';
import type { RecallGarden } from '../../recall/recall-garden.ts';
import { COVERAGE_THRESHOLD, passes, type UnitCoverage } from '../../schema/bundle/coverage.ts';
import type { Lexicon } from '../../schema/source/lexicon.ts';
import { choose } from './choose.ts';
import { isFresh, type UnitDraft } from './drafts.ts';
import { reachable, repaired, type LintInputs } from './lint-proposal.ts';

/** The inputs for judging a proposal: the gate of a compile, over the garden that the proposal would make. */
export interface SettleInputs extends PreviewInputs, LintInputs {
  readonly lexicon: Lexicon;
  /** ISO 8601. */
  readonly now: string;
  /** Called between steps that take long for many sections; may throw to end the work. */
  readonly pause?: () => Promise<void>;
}

/** Drafts that pass the coverage gate, and the names of those that do not, whatever their triggers. */
export interface Settled {
  readonly drafts: readonly UnitDraft[];
  readonly failing: ReadonlySet<string>;
}

/** Maximum number of times that triggers refused by the gate are replaced. */
const ROUNDS = 5;

const NOT_FOUND = 'the coverage gate finds it neither by its triggers nor by its description; a compile refuses it';

/**
 * Runs a proposal through the coverage gate (§21.8.3) and rewords it until it passes: a trigger whose paraphrases do
 * not find its unit gives way to the next one of the section. A unit without any is judged by its description.
 */
export async function settleDrafts(drafts: readonly UnitDraft[], inputs: SettleInputs): Promise<Settled> {
  let now = repaired(await keepingKnown(drafts, inputs), inputs, isFresh);
  for (let round = 0; round < ROUNDS; round++) {
    const refused = await refusedIntents(now, inputs);
    if ([...refused.values()].every(({ size }) => size === 0)) break;
    const isLast = round === ROUNDS - 1;
    const next = now.map((it) => replaced(it, refused.get(it.entry.name) ?? new Set(), isLast));
    now = repaired(next, inputs, isFresh);
  }
  now = reachable(now, inputs, isFresh);
  const { failing, mute } = await refusedUnits(now, inputs);
  now = now.map((it) => (failing.has(it.entry.name) && it.current === undefined ? withIntents(it, [], []) : it));
  now = reachable(now, inputs, isFresh);
  const still = failing.size === 0 ? failing : (await refusedUnits(now, inputs)).failing;
  const noted = (it: UnitDraft): UnitDraft => {
    if (mute.has(it.entry.name)) return { ...it, isJudged: false };
    return still.has(it.entry.name) && it.current === undefined ? { ...it, unlistedBecause: NOT_FOUND } : it;
  };
  return { drafts: now.map(noted), failing: still };
}

/** Known units keep their triggers where they pass with them; the others get some as any section does. */
async function keepingKnown(drafts: readonly UnitDraft[], inputs: SettleInputs): Promise<readonly UnitDraft[]> {
  if (!drafts.some((it) => it.isKnown)) return drafts;
  const { failing } = await refusedUnits(drafts, inputs);
  return drafts.map((it) => (failing.has(it.entry.name) ? { ...it, isKnown: false } : it));
}

/** @param isLast whether nothing would judge another trigger */
function replaced(draft: UnitDraft, refused: ReadonlySet<string>, isLast: boolean): UnitDraft {
  const kept = (draft.entry.load_triggers?.intents ?? []).filter((it) => !refused.has(it));
  if (isLast) return withIntents(draft, kept, []);
  const { intents, spare } = choose(kept, draft.spare);
  return refused.size === 0 ? draft : withIntents(draft, intents, spare);
}

function withIntents(draft: UnitDraft, intents: readonly string[], spare: readonly string[]): UnitDraft {
  const load_triggers = { ...draft.entry.load_triggers, intents: [...intents] };
  return { ...draft, entry: { ...draft.entry, load_triggers }, spare };
}

async function gardenOf(drafts: readonly UnitDraft[], inputs: SettleInputs): Promise<RecallGarden> {
  await inputs.pause?.();
  const units = drafts.flatMap((it) => inputs.toUnit(it) ?? []);
  return buildPreviewGarden([...units, ...inputs.others], inputs);
}

/** Whether a unit would pass with all of these intents together: the gate judges units. */
function passTogether(answers: readonly { readonly unit: UnitCoverage }[]): boolean {
  const sum = (of: (counted: UnitCoverage['counted']) => number) =>
    answers.reduce((all, { unit }) => all + of(unit.counted), 0);
  const paraphrases = sum((it) => it.paraphrases);
  return paraphrases > 0 && sum((it) => it.found) / paraphrases >= COVERAGE_THRESHOLD;
}

/** Whether an intent proves nothing: no paraphrase of it can be made, or it only repeats the text. */
const provesNothing = (it: UnitCoverage) => it.not_evaluated.length > 0 || onlyRepeats(it);

const onlyRepeats = ({ text_rules }: UnitCoverage) =>
  text_rules.some(({ rule, failed }) => rule === 'coverage_repetition' && failed > 0);

/** The proposed intents that their units would fail by, by unit: each is judged alone. */
async function refusedIntents(drafts: readonly UnitDraft[], inputs: SettleInputs): Promise<Map<string, Set<string>>> {
  const judged = drafts
    .filter(isFresh)
    .flatMap(({ entry: { name, description, load_triggers } }) =>
      (load_triggers?.intents ?? []).map((intent) => ({ name, intents: [intent], description })),
    );
  const units = await measured(judged, await gardenOf(drafts, inputs), inputs);
  // the report is sorted by name, and keeps the order of the judged units
  const sorted = [...judged].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const byName = new Map<string, { intent: string; unit: UnitCoverage }[]>();
  units.forEach((unit, i) => {
    const [intent = ''] = sorted[i]?.intents ?? [];
    byName.set(unit.name, [...(byName.get(unit.name) ?? []), { intent, unit }]);
  });
  return new Map([...byName].map(([name, answers]) => [name, refusedOf(answers)]));
}

/**
 * The intents of one unit to refuse: those that miss, if the unit fails with all together; and of those that only
 * repeat its text, those beyond the number of the others: the gate counts none of them, and refuses a unit with more.
 */
function refusedOf(answers: readonly { readonly intent: string; readonly unit: UnitCoverage }[]): Set<string> {
  // other triggers would be no better
  if (answers.every(({ unit }) => unit.paraphrases === 0)) return new Set();
  const own = answers.filter(({ unit }) => provesNothing(unit));
  const others = answers.filter((it) => !own.includes(it));
  const failing = passTogether(others) ? [] : others.filter(({ unit }) => !passes(unit));
  const kept = own
    .filter(({ unit }) => unit.coverage_pct >= COVERAGE_THRESHOLD)
    .slice(0, others.length - failing.length);
  return new Set([...own.filter((it) => !kept.includes(it)), ...failing].map(({ intent }) => intent));
}

/**
 * The units that a compile would refuse, and those that the gate cannot judge, because of none of their triggers a
 * paraphrase can be made, as in another language than English. A low findability is no reason: it only warns.
 */
export async function refusedUnits(
  drafts: readonly UnitDraft[],
  inputs: SettleInputs,
): Promise<{ failing: ReadonlySet<string>; mute: ReadonlySet<string> }> {
  const garden = await gardenOf(drafts, inputs);
  const judged = garden.facts.map(({ name, delivery: { load_triggers, description } }) => {
    return { name, intents: load_triggers.intents, description };
  });
  const refused = (await measured(judged, garden, inputs)).filter((it) => !passes(it));
  const namesOf = (which: readonly UnitCoverage[]) => new Set(which.map(({ name }) => name));
  return {
    failing: namesOf(refused.filter((it) => it.paraphrases > 0 || onlyRepeats(it))),
    mute: namesOf(refused.filter((it) => it.paraphrases === 0 && !onlyRepeats(it))),
  };
}

async function measured(
  judged: readonly JudgedUnit[],
  garden: RecallGarden,
  { encoder, lexicon, now, pause }: SettleInputs,
): Promise<UnitCoverage[]> {
  await pause?.();
  return (await measureCoverage(garden, judged, { encode: encoder, lexicon }, now)).units;
}
