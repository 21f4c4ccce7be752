import type { RecallGarden } from '../../recall/recall-garden.ts';
import { terms } from '../../recall/signals/lexical.ts';
import { stemsOf } from '../paraphrase/stems.ts';
import type { JudgedUnit } from './judged-unit.ts';
import type { Texts } from './texts.ts';

/** From this score on, in percent of the unit's own, a sibling's text is what the unit's triggers are for. */
const CLEARLY = 175;

/** The least mean score of a sibling's text, in millionths: a lower one may be a word that matches by chance. */
const LEAST = 50_000;

/** A sibling that has the same triggers only needs a higher score. */
const AT_ALL = 100;

/** Encodes texts; null for texts without meaning, and an empty list without an encoder. */
export type Encode = (texts: readonly string[]) => Promise<readonly (Float32Array | null)[]>;

/**
 * Finds triggers that belong to a sibling. Only the units' texts are compared, because a trigger is no evidence for
 * itself: if one sibling's text answers all of a unit's triggers together clearly better than the unit's own, and most
 * of them one by one, they are the sibling's. A single trigger that the unit's text does not contain is legitimate.
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
    const scored = unit.intents.map((intent) => ({ intent, total: texts.score(intent, vectors[at++] ?? null) }));
    const own = index.named.get(unit.name) ?? -1;
    const stems = unit.intents.map(stemsOf);
    const needed = (other: string) => (stems.every((it) => triggers.get(other)?.has(it)) ? AT_ALL : CLEARLY);
    const totals = scored.map(({ total }) => total);
    const sibling = siblingOf(index, totals, own, needed);
    if (sibling === null) return new Map();
    const better = scored.filter(({ total }) => scoreIn(total, sibling.unit) > scoreIn(total, own));
    return new Map(better.map(({ intent }) => [intent, sibling.name]));
  };
  return new Map(units.map((unit) => [unit, ownersOf(unit)]));
}

interface Sibling {
  readonly unit: number;
  readonly name: string;
}

/** The sibling that answers all of a unit's triggers best, if it is better by the needed percentage; else null. */
function siblingOf(
  { names }: Texts['index'],
  totals: readonly Int32Array[],
  own: number,
  needed: (sibling: string) => number,
): Sibling | null {
  const sumOf = (unit: number) => totals.reduce((all, total) => all + scoreIn(total, unit), 0);
  const mine = sumOf(own);
  let best: Sibling | null = null;
  let most = LEAST * totals.length;
  for (const [unit, name] of names.entries()) {
    const sum = sumOf(unit);
    if (sum < most || 100 * sum <= needed(name) * mine) continue;
    const better = totals.filter((total) => scoreIn(total, unit) > scoreIn(total, own)).length;
    if (2 * better > totals.length) {
      best = { unit, name };
      most = sum;
    }
  }
  return best;
}

/** A unit's score; zero for a unit that is not indexed. */
function scoreIn(total: Int32Array, unit: number): number {
  return total[unit] ?? 0;
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

/** The triggers of a unit that only repeat its content. */
export function repeatedTriggers({ index, facts }: RecallGarden, unit: JudgedUnit): string[] {
  const content = facts[index.named.get(unit.name) ?? -1]?.content ?? '';
  return unit.intents.filter(repetitionIn(content, unit.description));
}
