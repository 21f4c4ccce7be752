import type { Unit } from '../../schema/source/unit.ts';
import { meaning } from './linted-garden.ts';

/** One intent as the numbers of its words, rarest first, and the units that have it. */
interface IntentWords {
  readonly words: readonly number[];
  /** Indices of the units, ascending. */
  readonly askers: number[];
}

/**
 * Counts the siblings with an intent that has more than half of its words, and at least two, among the words by which
 * recall finds a unit. Thousands of units have millions of pairs, so equal intents are checked once, and an intent is
 * looked up only by its rarer half of words.
 */
export function reachOf(asking: readonly Unit[]): (unit: Unit) => number {
  const ids = new Map<string, number>();
  const byWord = indexed(distinct(asking, ids), ids.size);
  const found = new Uint8Array(ids.size);
  const places = new Map(asking.map((unit, i) => [unit, i]));
  return (unit) => {
    const { intents, keywords } = unit.delivery.load_triggers;
    const own = new Set([...intents, ...keywords].flatMap(meaning).flatMap((word) => ids.get(word) ?? []));
    for (const id of own) found[id] = 1;
    const reaching = new Uint8Array(asking.length);
    for (const id of own) {
      for (const { words, askers } of byWord[id] ?? []) {
        if (isMet(words, found)) for (const it of askers) reaching[it] = 1;
      }
    }
    for (const id of own) found[id] = 0;
    const self = places.get(unit);
    if (self !== undefined) reaching[self] = 0;
    return reaching.reduce((sum, it) => sum + it, 0);
  };
}

function distinct(asking: readonly Unit[], ids: Map<string, number>): IntentWords[] {
  const known = new Map<string, IntentWords>();
  asking.forEach(({ delivery }, i) => {
    for (const intent of delivery.load_triggers.intents) {
      const words = [...new Set(meaning(intent).map((word) => numberOf(word, ids)))].sort((a, b) => a - b);
      const key = words.join(' ');
      const entry = known.get(key) ?? { words, askers: [] };
      if (entry.askers.at(-1) !== i) entry.askers.push(i);
      known.set(key, entry);
    }
  });
  return [...known.values()];
}

function numberOf(word: string, ids: Map<string, number>): number {
  const id = ids.get(word) ?? ids.size;
  ids.set(word, id);
  return id;
}

/** Each intent by its rarest words: a match of more than half of all words includes one of the rarer half. */
function indexed(intents: readonly IntentWords[], size: number): IntentWords[][] {
  const counts = new Int32Array(size);
  for (const { words } of intents) for (const id of words) counts[id] = (counts[id] ?? 0) + 1;
  const byWord: IntentWords[][] = Array.from({ length: size }, () => []);
  for (const it of intents) {
    const rarest = it.words.toSorted((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0));
    for (const id of rarest.slice(0, Math.ceil(rarest.length / 2))) byWord[id]?.push(it);
  }
  return byWord;
}

function isMet(words: readonly number[], found: Uint8Array): boolean {
  let met = 0;
  for (const id of words) met += found[id] ?? 0;
  return met >= 2 && met * 2 > words.length;
}
