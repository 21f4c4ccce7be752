import { foldCase, foldLetters, plainText } from '../../schema/fold-letters.ts';
import { hasSpaceless, isHiragana, pairsOf, splitRuns } from './character-pairs.ts';

/** ASCII text, which needs no Unicode decomposition. */
const ASCII = /^[\t\n\r\x20-\x7e]*$/;

/** A name of one or two letters is another one with its sign: C is neither C# nor C++. */
const ASCII_WORDS = /(?<![a-z0-9])[a-z]{1,2}(?:\+\+|#)(?![a-z0-9+#])|[a-z0-9]+/g;
const SPACED_WORDS = /(?<![\p{L}\p{M}\p{N}])[a-z]{1,2}(?:\+\+|#)(?![\p{L}\p{N}+#])|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** The words of a text, each in two forms. */
export interface SpelledWords {
  /** As they are spelled, in lower case. */
  readonly lower: readonly string[];
  /** As they are matched: without accents. */
  readonly folded: readonly string[];
}

/**
 * The words of a text; letters and digits of any script. A script without spaces has no words that could be told
 * without a dictionary, so its pairs of neighbouring characters stand for them.
 */
export function spelledWords(text: string): SpelledWords {
  if (ASCII.test(text)) {
    const lower = text.toLowerCase().match(ASCII_WORDS) ?? [];
    return { lower, folded: lower };
  }
  const plain = plainText(text);
  if (!hasSpaceless(plain)) return spacedWords(plain);
  const parts = splitRuns(plain).map((part, i) => (i % 2 === 0 ? spacedWords(part) : pairedWords(part)));
  return { lower: parts.flatMap((it) => it.lower), folded: parts.flatMap((it) => it.folded) };
}

function spacedWords(plain: string): SpelledWords {
  const lower = foldCase(plain).match(SPACED_WORDS) ?? [];
  // folded in one go, which takes a tenth of the time
  return { lower, folded: lower.length === 0 ? lower : foldLetters(lower.join('\n')).split('\n') };
}

function pairedWords(run: string): SpelledWords {
  const pairs = pairsOf(run);
  return { lower: pairs, folded: pairs };
}

/** The words of a text as they are matched. Pairs of hiragana are left out. */
export function words(text: string): string[] {
  return spelledWords(text).folded.filter((it) => !isHiragana(it));
}
