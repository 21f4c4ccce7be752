/** Tokens with their log probabilities, by ID. */
export type UnigramPieces = readonly (readonly [token: string, score: number])[];

/** Distance of an unknown letter's score below that of the least likely token. */
const UNKNOWN_PENALTY = 10;

/** Splits words into their most likely tokens. */
export interface Unigram {
  /** The ID of the unknown token. */
  readonly unknown: number;
  /** The tokens by ID. */
  readonly words: readonly string[];
  readonly tokensOf: (word: string) => readonly number[];
}

/** A token that ends somewhere in a word, after the best of the steps that end where it begins. */
interface Step {
  readonly token: number;
  readonly score: number;
  readonly before: Step | null;
}

interface Model {
  readonly ids: ReadonlyMap<string, number>;
  /** At least the length of the longest token by `endingOf`. */
  readonly longest: Uint16Array;
  readonly scores: readonly number[];
  readonly unknown: number;
}

/** A character of two UTF-16 units. The library looks up one unit and never finds a token with such a character. */
const WIDE = /[\u{10000}-\u{10ffff}]/u;

/**
 * The slot of three last letters, by which the longest token is known: most pieces of a long word are not looked up. A
 * slot that letters share only means more of them.
 */
const endingOf = (word: string, end: number) =>
  (961 * word.charCodeAt(end - 3) + 31 * word.charCodeAt(end - 2) + word.charCodeAt(end - 1)) & 0xffff;

/**
 * A unigram tokenizer with the rounding and tie-breaking of @xenova/transformers: of equally likely splits, the one
 * with the longest last token wins.
 */
export function openUnigram(vocabulary: UnigramPieces, unknown: number): Unigram {
  // by index: to take thirty thousand pairs apart takes most of the time that a model takes to open
  const words = vocabulary.map((it) => it[0]);
  const scores = vocabulary.map((it) => it[1]);
  scores[unknown] = scores.reduce((least, score) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY;
  const ids = new Map<string, number>();
  const longest = new Uint16Array(0x10000).fill(2);
  words.forEach((word, id) => {
    if (WIDE.test(word)) return;
    // of equal tokens the last one counts
    ids.set(word, id);
    const ending = endingOf(word, word.length);
    longest[ending] = Math.max(longest[ending] ?? 0, word.length);
  });
  return { unknown, words, tokensOf: (word) => tokensTo(lastStep(word, { ids, longest, scores, unknown })) };
}

/** The last step of the best path through a word. */
function lastStep(word: string, { ids, longest, scores, unknown }: Model): Step {
  // the steps that end at each letter: due to rounding, the best before a token may not have the highest score
  const steps: Step[][] = [[{ token: unknown, score: 0, before: null }]];
  for (let end = 1; end <= word.length; end++) {
    const here: Step[] = [];
    for (let at = Math.max(0, end - (longest[endingOf(word, end)] ?? 0)); at < end; at++) {
      const token = ids.get(word.slice(at, end)) ?? (at === end - 1 ? unknown : undefined);
      if (token !== undefined) here.push(stepAfter(steps[at] ?? [], token, scores[token] ?? 0));
    }
    steps.push(here);
  }
  // the end is a step of its own, as in the library: due to rounding it may not follow the highest score
  return stepAfter(steps.at(-1) ?? [], unknown, 0);
}

/** A step with its best predecessor; of equal rounded sums the earliest wins. */
function stepAfter(earlier: readonly Step[], token: number, score: number): Step {
  let before: Step | null = null;
  let most = -Infinity;
  for (const step of earlier) {
    const sum = step.score + score;
    if (before === null || sum > most) {
      before = step;
      most = sum;
    }
  }
  return { token, score: most, before };
}

/** The tokens of the path to the last step, without that and the start. */
function tokensTo(last: Step): number[] {
  const tokens: number[] = [];
  for (let step = last.before; step?.before; step = step.before) tokens.push(step.token);
  return tokens.reverse();
}
