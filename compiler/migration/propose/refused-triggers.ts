import { buildPreviewGarden } from '../../gardens/preview.ts';
import { findCaptures, type Capture } from '../../quality/captures.ts';
import { MOST_TRIGGERS } from '../../schema/source/brief-answer.ts';
import { MAX_PHRASE_LENGTH } from '../../schema/source/phrases.ts';
import type { Probe } from '../../schema/source/probe.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { UnitDraft } from './drafts.ts';
import type { PhrasesFor } from './proposal.ts';
import type { Refused } from './reword.ts';
import { refusedUnits, type SettleInputs } from './settle.ts';

/** The inputs for judging phrases: those that are stored, and the probes that they must not take. */
export interface PhraseInputs extends SettleInputs {
  readonly probes: readonly Probe[];
}

/** Rounds in which captures are removed: each takes one phrase of a unit, and the last one finds none. */
const ROUNDS = MOST_TRIGGERS + 1;

type Phrases = ReadonlyMap<string, readonly string[]>;

/**
 * Triggers that the coverage gate refuses, as phrases of their units: a phrase finds its unit too, and proves nothing.
 * One that takes the place of another unit is no phrase either: a compile would refuse it.
 */
export async function asPhrases(
  drafts: readonly UnitDraft[],
  refused: readonly Refused[],
  inputs: PhraseInputs,
): Promise<ReadonlyMap<string, PhrasesFor>> {
  const stored = inputs.phrases ?? new Map<string, readonly string[]>();
  const mayBe = refused.filter(({ unit, sentence, byGate }) => {
    return byGate && sentence.length <= MAX_PHRASE_LENGTH && !stored.has(unit);
  });
  const fair = await withoutCaptures(drafts, gathered(mayBe), stored, inputs);
  if (fair.size === 0 || (await takesOthers(drafts, fair, stored, inputs))) return new Map();
  const texts = new Map(drafts.map((it) => [it.entry.name, inputs.toUnit(it)?.content ?? '']));
  return new Map([...fair].map(([unit, phrases]) => [unit, { digest: sha256(texts.get(unit) ?? ''), phrases }]));
}

function gathered(refused: readonly Refused[]): Phrases {
  const phrases = new Map<string, readonly string[]>();
  for (const { unit, sentence } of refused) phrases.set(unit, [...(phrases.get(unit) ?? []), sentence]);
  return phrases;
}

async function withoutCaptures(
  drafts: readonly UnitDraft[],
  candidates: Phrases,
  stored: Phrases,
  inputs: PhraseInputs,
): Promise<Phrases> {
  const units = [...drafts.flatMap((it) => inputs.toUnit(it) ?? []), ...inputs.others];
  const build = (phrases: Phrases) => buildPreviewGarden(units, { ...inputs, phrases });
  let now = candidates;
  for (let round = 0; round < ROUNDS && now.size > 0; round++) {
    await inputs.pause?.();
    const phrases = new Map([...stored, ...now]);
    const gardens = { phrased: await build(phrases), plain: await build(new Map()) };
    const captures = await findCaptures(gardens, { phrases, probes: inputs.probes }, inputs.encoder, inputs.now);
    const caught = captures.filter(({ unit }) => now.has(unit));
    if (caught.length === 0) return now;
    const left = [...now].map(([unit, all]) => [unit, all.filter((it) => it !== worstOf(unit, caught))] as const);
    now = new Map(left.filter(([, all]) => all.length > 0));
  }
  return new Map();
}

/** The phrase of a unit that another one answers best: the leads of some add up, and without it there may be none. */
function worstOf(unit: string, captures: readonly Capture[]): string | undefined {
  const lead = ({ scores }: Capture) => scores.rival - scores.unit;
  const [worst] = captures.filter((it) => it.unit === unit).sort((a, b) => lead(b) - lead(a));
  return worst?.phrase;
}

/** Whether a unit that its triggers find is not found any more, once other units have these phrases. */
async function takesOthers(drafts: readonly UnitDraft[], fair: Phrases, stored: Phrases, inputs: PhraseInputs) {
  const before = await refusedUnits(drafts, { ...inputs, phrases: stored });
  const after = await refusedUnits(drafts, { ...inputs, phrases: new Map([...stored, ...fair]) });
  return [...after.failing.keys()].some((it) => !before.failing.has(it));
}
