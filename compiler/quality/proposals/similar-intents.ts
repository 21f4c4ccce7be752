import { terms } from '../../recall/signals/lexical.ts';

/** Intents are similar if they share this part of all the words that either has. */
const SIMILAR = 0.75;

/** Words that turn the meaning into its opposite. */
const NEGATION = /\b(?:not|no|never|without|cannot|\w+n['’]t)\b/i;

/** Values by intent; an intent also finds the value of a similar one, whatever the order and forms of its words. */
export interface SimilarIntents<T> {
  /** The value of the most similar intent; null if none is similar enough. */
  readonly find: (intent: string) => T | null;
  readonly add: (intent: string, value: T) => void;
}

interface StoredIntent<T> {
  readonly stems: ReadonlySet<string>;
  readonly value: T;
}

/**
 * Creates a collection of intents. Similar intents share one of the first few of their sorted stems, so only intents
 * that do are compared.
 */
export function createSimilarIntents<T>(): SimilarIntents<T> {
  const all: StoredIntent<T>[] = [];
  const places = new Map<string, number[]>();
  return {
    find: (intent) => {
      const stems = stemsBy(intent);
      const near = new Set(firstFew(stems).flatMap((word) => places.get(word) ?? []));
      let best: { readonly value: T; readonly shared: number } | null = null;
      for (const at of [...near].sort((a, b) => a - b)) {
        const stored = all[at] as StoredIntent<T>;
        const shared = share(stems, stored.stems);
        if (shared >= SIMILAR && shared > (best?.shared ?? 0)) best = { value: stored.value, shared };
      }
      return best && best.value;
    },
    add: (intent, value) => {
      const stems = stemsBy(intent);
      for (const word of firstFew(stems)) {
        const list = places.get(word);
        if (list) list.push(all.length);
        else places.set(word, [all.length]);
      }
      all.push({ stems, value });
    },
  };
}

/** The stems of an intent, each marked if the intent has a negation. */
function stemsBy(intent: string): Set<string> {
  const mark = NEGATION.test(intent) ? '!' : '';
  const stems = terms(intent, false);
  const words = stems.length > 0 ? stems : intent.toLowerCase().split(/\s+/);
  return new Set(words.map((stem) => `${mark}${stem}`));
}

function firstFew(stems: ReadonlySet<string>): string[] {
  return [...stems].sort().slice(0, stems.size - Math.ceil(SIMILAR * stems.size) + 1);
}

function share(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((it) => b.has(it)).length;
  return both / (a.size + b.size - both);
}
