import { follow, layTrie, NONE, type Trie } from './trie.ts';

/** Tokens with the logarithm of how likely each is, by id. */
export type Vocabulary = readonly (readonly [token: string, score: number])[];

/** How much less likely than any token a letter is that begins none. */
const UNKNOWN_PENALTY = 10;

/** Takes words apart into the likeliest tokens. */
export interface Unigram {
  /** The id of what no token says. */
  readonly unknown: number;
  readonly tokensOf: (word: string) => readonly number[];
}

/** Every way to put the beginning of a word together, the best one to each token. */
interface Paths {
  readonly tokens: number[];
  readonly scores: number[];
  /** The step before each one, and the next one that ends where it does. */
  readonly before: number[];
  readonly beside: number[];
  /** First and last step that end at each letter. */
  readonly first: Int32Array;
  readonly last: Int32Array;
}

/**
 * A unigram tokenizer, its rounding and its ties as in @xenova/transformers: of equally likely ways the one wins
 * whose last token is the longest.
 */
export function openUnigram(vocabulary: Vocabulary, unknown: number): Unigram {
  const trie = layTrie(vocabulary.map(([token]) => token));
  const scores = Float64Array.from(vocabulary, ([, score]) => score);
  scores[unknown] = scores.reduce((least, score) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY;
  return { unknown, tokensOf: (word) => trace(walk(word, { trie, scores, unknown })) };
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
  // the end is a step of its own: rounding can make it choose otherwise than by the highest score
  step(paths, word.length, word.length, NONE, 0);
  return paths;
}

/** Nothing of a word is said yet, by one step without a token. */
function pathsOver(letters: number): Paths {
  const first = new Int32Array(letters + 1).fill(NONE);
  const last = new Int32Array(letters + 1).fill(NONE);
  first[0] = last[0] = 0;
  return { tokens: [NONE], scores: [0], before: [NONE], beside: [NONE], first, last };
}

/** Adds a token to the best way to where it begins; the earliest of equals, after the sum is rounded. */
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

/** The tokens of the best way to the end, which is the last step. */
function trace({ tokens, before }: Paths): number[] {
  const found: number[] = [];
  for (let at = before.at(-1) ?? NONE; at > 0; at = before[at] ?? NONE) found.push(tokens[at] ?? NONE);
  return found.reverse();
}
