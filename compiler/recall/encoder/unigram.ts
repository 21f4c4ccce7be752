import { follow, NONE, openTrie, type Trie } from './trie.ts';

/** Tokens with their log probabilities, by ID. */
export type Vocabulary = readonly (readonly [token: string, score: number])[];

/** How far the score of an unknown letter is below that of the least likely token. */
const UNKNOWN_PENALTY = 10;

/** Splits words into their most likely tokens. */
export interface Unigram {
  /** The ID of the unknown token. */
  readonly unknown: number;
  /** The tokens by ID. */
  readonly words: readonly string[];
  readonly tokensOf: (word: string) => readonly number[];
}

/** A lattice of the ways to build each prefix of a word; each step keeps its best predecessor. */
interface Paths {
  readonly tokens: number[];
  readonly scores: number[];
  /** For each step its predecessor, and the next step that ends at the same letter. */
  readonly before: number[];
  readonly beside: number[];
  /** The first and the last step that end at each letter. */
  readonly first: Int32Array;
  readonly last: Int32Array;
}

/**
 * A unigram tokenizer with the rounding and tie-breaking of @xenova/transformers: of equally likely splits, the one with
 * the longest last token wins.
 */
export function openUnigram(vocabulary: Vocabulary, unknown: number): Unigram {
  // by index: to take thirty thousand pairs apart takes most of the time that a model takes to open
  const words = vocabulary.map((it) => it[0]);
  const scores = Float64Array.from(vocabulary.map((it) => it[1]));
  const trie = openTrie(words);
  scores[unknown] = scores.reduce((least, score) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY;
  return { unknown, words, tokensOf: (word) => trace(walk(word, { trie, scores, unknown })) };
}

interface Model {
  readonly trie: Trie;
  readonly scores: Float64Array;
  readonly unknown: number;
}

function walk(word: string, { trie, scores, unknown }: Model): Paths {
  const paths = pathsOver(word.length);
  for (let at = 0; at < word.length; at++) {
    let known = false;
    let node = follow(trie, 0, word.charCodeAt(at));
    for (let end = at + 1; node !== NONE; end++) {
      const token = trie.tokens[node] ?? NONE;
      if (token !== NONE) step(paths, at, end, token, scores[token] ?? 0);
      if (token !== NONE && end === at + 1) known = true;
      node = end < word.length ? follow(trie, node, word.charCodeAt(end)) : NONE;
    }
    if (!known) step(paths, at, at + 1, unknown, scores[unknown] ?? 0);
  }
  // the end is a step of its own, as in the library: due to rounding it may not follow the highest score
  step(paths, word.length, word.length, NONE, 0);
  return paths;
}

/** A new lattice with one step, without a token, at the start of the word. */
function pathsOver(letters: number): Paths {
  const first = new Int32Array(letters + 1).fill(NONE);
  const last = new Int32Array(letters + 1).fill(NONE);
  first[0] = last[0] = 0;
  return { tokens: [NONE], scores: [0], before: [NONE], beside: [NONE], first, last };
}

/** Adds a step with its best predecessor; of equal rounded sums the earliest wins. */
function step(paths: Paths, from: number, to: number, token: number, score: number): void {
  const { tokens, scores, before, beside, first, last } = paths;
  let best = first[from] ?? NONE;
  let most = (scores[best] ?? 0) + score;
  for (let other = beside[best] ?? NONE; other !== NONE; other = beside[other] ?? NONE) {
    const sum = (scores[other] ?? 0) + score;
    if (sum > most) [best, most] = [other, sum];
  }
  const added = tokens.length;
  tokens.push(token);
  scores.push(most);
  before.push(best);
  beside.push(NONE);
  const tail = last[to] ?? NONE;
  if (tail === NONE) first[to] = added;
  else beside[tail] = added;
  last[to] = added;
}

/** The tokens of the best path to the last step. */
function trace({ tokens, before }: Paths): number[] {
  const found: number[] = [];
  for (let at = before.at(-1) ?? NONE; at > 0; at = before[at] ?? NONE) found.push(tokens[at] ?? NONE);
  return found.reverse();
}
