import { terms } from '../../recall/signals/lexical.ts';

/** Intents are alike that share this part of all the words that either has. */
const ALIKE = 0.75;

/** One little word more, and the opposite is meant. */
const NEGATION = /\b(?:not|no|never|without|cannot|\w+n['’]t)\b/i;

/** Intents by what they say, whatever its order and its forms. */
export interface Alike<T> {
  /** What was kept for an intent that says the same, or nearly: of several, for the one that is most alike. */
  readonly find: (intent: string) => T | null;
  readonly add: (intent: string, kept: T) => void;
}

interface StoredIntent<T> {
  readonly said: ReadonlySet<string>;
  readonly value: T;
}

/**
 * Opens a collection of intents. Those that are alike share one of the first few of their sorted words: only they are
 * compared.
 */
export function openAlike<T>(): Alike<T> {
  const all: StoredIntent<T>[] = [];
  const places = new Map<string, number[]>();
  return {
    find: (intent) => {
      const said = saidBy(intent);
      const near = new Set(firstFew(said).flatMap((word) => places.get(word) ?? []));
      let best: { readonly value: T; readonly shared: number } | null = null;
      for (const at of [...near].sort((a, b) => a - b)) {
        const kept = all[at] as StoredIntent<T>;
        const shared = share(said, kept.said);
        if (shared >= ALIKE && shared > (best?.shared ?? 0)) best = { value: kept.value, shared };
      }
      return best && best.value;
    },
    add: (intent, value) => {
      const said = saidBy(intent);
      for (const word of firstFew(said)) {
        const list = places.get(word);
        if (list) list.push(all.length);
        else places.set(word, [all.length]);
      }
      all.push({ said, value });
    },
  };
}

/** Stems, each with whether the whole is denied. */
function saidBy(intent: string): Set<string> {
  const mark = NEGATION.test(intent) ? '!' : '';
  const stems = terms(intent, false);
  const said = stems.length > 0 ? stems : intent.toLowerCase().split(/\s+/);
  return new Set(said.map((stem) => `${mark}${stem}`));
}

function firstFew(said: ReadonlySet<string>): string[] {
  return [...said].sort().slice(0, said.size - Math.ceil(ALIKE * said.size) + 1);
}

function share(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((it) => b.has(it)).length;
  return both / (a.size + b.size - both);
}
