import type { RecallGarden } from '../../recall/recall-garden.ts';
import { terms } from '../../recall/signals/lexical.ts';
import { stemsOf } from '../paraphrase/stems.ts';
import type { JudgedUnit } from './judged-unit.ts';
import type { Texts } from './texts.ts';

/** From this score on, in percent of the unit's own, a sibling's text is what the unit's triggers are for. */
const CLEARLY = 150;

/** A sibling that has the same triggers only needs a higher score. */
const AT_ALL = 100;

/** Encodes texts; null for texts without meaning, and an empty list without an encoder. */
export type Encode = (texts: readonly string[]) => Promise<readonly (Float32Array | null)[]>;

/**
 * Finds triggers that belong to a sibling. Only the units' texts are compared, because a trigger is no evidence for
 * itself: if one sibling's text answers all of a unit's triggers together clearly better than the unit's own, and most of
 * them one by one, they are the sibling's. A single trigger that the unit's text does not contain is legitimate.
 *
 * @returns the sibling by trigger, for each misplaced trigger
 */
export async function findMisplaced(
  { facts }: RecallGarden,
  units: readonly JudgedUnit[],
  texts: Texts,
  encode: Encode,
): Promise<ReadonlyMap<JudgedUnit, ReadonlyMap<string, string>>> {
  const { index } = texts;
  const vectors = await encode(units.flatMap(({ intents }) => intents));
  const triggers = new Map(
    facts.map(({ name, delivery: it }) => [name, new Set(it.load_triggers.intents.map(stemsOf))]),
  );
  let at = 0;
  const ownersOf = (unit: JudgedUnit): ReadonlyMap<string, string> => {
    const scores = unit.intents.map((intent) => texts.score(intent, vectors[at++] ?? null));
    const own = index.named.get(unit.name) ?? -1;
    const stems = unit.intents.map(stemsOf);
    const needed = (other: number) =>
      stems.every((it) => triggers.get(index.names[other] ?? '')?.has(it)) ? AT_ALL : CLEARLY;
    const sibling = siblingOf(scores, own, index.low_confidence, needed);
    if (sibling === null) return new Map();
    const better = unit.intents.filter((_, i) => (scores[i]?.[sibling] ?? 0) > (scores[i]?.[own] ?? 0));
    return new Map(better.map((intent) => [intent, index.names[sibling] ?? '']));
  };
  return new Map(units.map((unit) => [unit, ownersOf(unit)]));
}

/** The sibling that answers all of a unit's triggers best, if it is better by the needed percentage; else null. */
function siblingOf(
  scores: readonly Int32Array[],
  own: number,
  least: number,
  needed: (sibling: number) => number,
): number | null {
  const sumOf = (unit: number) => scores.reduce((all, total) => all + (total[unit] ?? 0), 0);
  const mine = sumOf(own);
  let best = -1;
  let most = least * scores.length;
  for (let unit = 0; unit < (scores[0]?.length ?? 0); unit++) {
    const sum = sumOf(unit);
    if (unit === own || sum < most || 100 * sum <= needed(unit) * mine) continue;
    const better = scores.filter((total) => (total[unit] ?? 0) > (total[own] ?? 0)).length;
    if (2 * better > scores.length) [best, most] = [unit, sum];
  }
  return best < 0 ? null : best;
}

/**
 * Recognises triggers that only repeat a unit's content: the content would find the unit without them, so they prove
 * nothing. Several words from the description are allowed, because they name the situation, as triggers should.
 */
export function repetitionIn(content: string, description: string): (intent: string) => boolean {
  const inContent = new Set(terms(content, false));
  const inDescription = new Set(terms(description, false));
  return (intent) => {
    const stems = new Set(terms(intent, false));
    if (stems.size === 0 || ![...stems].every((stem) => inContent.has(stem))) return false;
    return stems.size === 1 || ![...stems].every((stem) => inDescription.has(stem));
  };
}
