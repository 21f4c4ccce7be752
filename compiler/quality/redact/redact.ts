import { withoutNames } from './names.ts';
import { PATTERNS } from './patterns.ts';
import { absorbDigits, absorbLetters, markOf, marksIn, merge, writeOut, type Placeholder } from './placeholders.ts';
import { plain } from './plain-text.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A text without what tells of anybody. */
export interface Redacted {
  readonly text: string;
  /** What was taken out, in the order of the text. */
  readonly taken: readonly Placeholder[];
  /** Whether enough is left to understand it. */
  readonly isReadable: boolean;
}

/** No probe is longer; of what is, nobody could vouch for every word. */
export const MAX_REDACTED = 600;

/** Of the words of a text: more placeholders than this tell nothing, and more that are not even of a kind still less. */
const MOST_TAKEN = 1 / 2;
const MOST_UNKNOWN = 1 / 4;
const LEAST_WORDS = 2;

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’._][\p{L}\p{M}\p{N}]+)*/gu;

/**
 * Takes out of a text whatever may tell of somebody: first what is known by its form, then names, at last every word
 * that neither English nor the agent's own units know. Doubt takes out. What comes holds no `@`, and no four digits side
 * by side.
 */
export function redact(text: string, vocabulary: Vocabulary): Redacted {
  let rest = plain(text.slice(0, 4 * MAX_REDACTED)).slice(0, MAX_REDACTED);
  for (const [placeholder, pattern] of PATTERNS) rest = rest.replace(pattern, markOf(placeholder));
  rest = withoutNames(absorbLetters(absorbDigits(rest)), vocabulary);
  if (shouted(rest)) rest = withoutNames(rest.toLowerCase(), vocabulary);
  let kept = 0;
  rest = rest.replace(WORD, (word, at: number) => {
    const placeholder = judge(word, isFirst(rest, at), vocabulary);
    if (placeholder === null) kept += 1;
    return placeholder === null ? word : markOf(placeholder);
  });
  rest = rest.replace(/[^\p{L}\p{M}\p{N}\uE000-\uE01F .,;:!?'’"()/&%+=*–—-]+/gu, ' ').replace(/\/{2,}/g, '/');
  rest = merge(rest);
  const taken = marksIn(rest);
  const unknown = taken.filter((it) => it === 'word' || it === 'name').length;
  const all = kept + taken.length;
  const isReadable = kept >= LEAST_WORDS && taken.length <= MOST_TAKEN * all && unknown <= MOST_UNKNOWN * all;
  return { text: writeOut(rest), taken, isReadable };
}

/** Where most words are capital, capitals tell nothing. */
function shouted(text: string): boolean {
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  const capital = words.filter((it) => /^\p{Lu}/u.test(it));
  return words.length > 2 && capital.length > words.length / 2;
}

/** Whether a sentence begins here, so that a capital is none of the word's own. */
function isFirst(text: string, at: number): boolean {
  return /(?:^|[.!?:]["')\]]? |^["'(]+|[-*] )$/.test(text.slice(Math.max(0, at - 4), at));
}

function judge(word: string, isFirstWord: boolean, vocabulary: Vocabulary): Placeholder | null {
  const { isPlain, isWritten } = vocabulary;
  if (/\p{N}/u.test(word))
    return isHarmless(word) || (isWritten(word) && !/\p{N}{4}/u.test(word)) ? null : unnumbered(word);
  if (/[._]/.test(word)) return isJoined(word, vocabulary) ? null : 'name';
  const parts = word.split(/['’]/);
  const known = parts.every((part, i) => (i > 0 && part.length <= 2) || isPlain(part));
  const isNamed = /^\p{Lu}/u.test(word) && !isFirstWord && !mayBeCapital(parts[0] ?? '') && !isWritten(parts[0] ?? '');
  if (known && !isNamed) return null;
  return /^\p{Lu}/u.test(word) ? 'name' : 'word';
}

/** `built.Then`, `max_chunks`: plain words, and none of them a name besides. */
function isJoined(word: string, { isPlain, meaningsOf }: Vocabulary): boolean {
  return word.split(/['’._]/).every((part) => isPlain(part) && meaningsOf(part) === null);
}

/** What has capitals wherever it stands: `I`, days and months, and `API`, a word by now. */
function mayBeCapital(word: string): boolean {
  return (
    /^(?:[A-Z]{2,5}|I|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|Easter|Christmas)$/.test(word) || MONTHS.has(word)
  );
}

const MONTHS = new Set(
  'January February March April May June July August September October November December'.split(' '),
);

/** Counts, ordinals and short versions. */
function isHarmless(word: string): boolean {
  return /^\d{1,3}(?:st|nd|rd|th|x|h|m|s|d|am|pm|k)?$|^v\d{1,2}(?:\.\d{1,2}){0,2}$|^[qh][1-4]$/i.test(word);
}

function unnumbered(word: string): Placeholder {
  return /^\p{N}+$/u.test(word) ? 'number' : 'id';
}
