import { withoutNames } from './names.ts';
import { PATTERNS } from './patterns.ts';
import { absorbDigits, absorbLetters, markOf, marksIn, merge, writeOut, type Placeholder } from './placeholders.ts';
import type { KnownWords } from './vocabulary.ts';

/** A text without personal data. */
export interface Redacted {
  readonly text: string;
  /** The placeholders that replaced words, in the order of the text. */
  readonly placeholders: readonly Placeholder[];
  /** Whether enough words are left to understand it. */
  readonly isReadable: boolean;
}

/** The maximum length; in a longer text, a person cannot check every word. */
export const MAX_REDACTED = 600;

/** A text with a larger share of placeholders, or of placeholders of unknown kind, is unreadable. */
const MOST_REPLACED = 1 / 2;
const MOST_UNKNOWN = 1 / 4;
const LEAST_WORDS = 2;

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’._][\p{L}\p{M}\p{N}]+)*/gu;

/**
 * Removes personal data from an untrusted text: first what has a form, then names, and last every word that neither
 * English nor the agent's own units know. If unsure, it redacts. The result has no `@`, and no four digits in a row.
 */
export function redact(text: string, vocabulary: KnownWords): Redacted {
  let rest = plain(text.slice(0, 4 * MAX_REDACTED)).slice(0, MAX_REDACTED);
  for (const [placeholder, pattern] of PATTERNS) rest = rest.replace(pattern, markOf(placeholder));
  rest = withoutNames(absorbLetters(absorbDigits(rest)), vocabulary);
  if (hasMostlyCapitals(rest)) rest = withoutNames(rest.toLowerCase(), vocabulary);
  let words = 0;
  rest = rest.replace(WORD, (word, at: number) => {
    const placeholder = judge(word, isFirst(rest, at), vocabulary);
    if (placeholder === null) words += 1;
    return placeholder === null ? word : markOf(placeholder);
  });
  rest = rest.replace(/[^\p{L}\p{M}\p{N}\uE000-\uE01F .,;:!?'’"()/&%+=*–—-]+/gu, ' ').replace(/\/{2,}/g, '/');
  rest = merge(rest);
  const placeholders = marksIn(rest);
  const unknown = placeholders.filter((it) => it === 'word' || it === 'name').length;
  const all = words + placeholders.length;
  const isReadable =
    words >= LEAST_WORDS && placeholders.length <= MOST_REPLACED * all && unknown <= MOST_UNKNOWN * all;
  return { text: writeOut(rest), placeholders, isReadable };
}

/**
 * A text in one line, as it looks to a reader: compatibility forms normalised, digits of any script as 0–9, and without
 * invisible characters. Invisible characters between letters would hide a name from every pattern.
 */
function plain(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/[\p{Cf}\p{Co}\p{Cn}\p{Mn}\u{FFFD}]+/gu, (it) => it.replace(/[^\p{Mn}]|[\uFE00-\uFE0F\u034F]/gu, ''))
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .normalize('NFC')
    .trim();
}

/** The value of a digit. Unicode has the ten digits of a script in a row, so it is the distance from its zero. */
function digitOf(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let zero = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((point - zero) % 10);
}

/** Whether most words begin with a capital: then capitals are no sign of a name. */
function hasMostlyCapitals(text: string): boolean {
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  const capital = words.filter((it) => /^\p{Lu}/u.test(it));
  return words.length > 2 && capital.length > words.length / 2;
}

/** Whether a sentence begins here: then a capital is no sign of a name. */
function isFirst(text: string, at: number): boolean {
  return /(?:^|[.!?:]["')\]]? |^["'(]+|[-*] )$/.test(text.slice(Math.max(0, at - 4), at));
}

function judge(word: string, isFirstWord: boolean, vocabulary: KnownWords): Placeholder | null {
  const { isKnown, isInUnits } = vocabulary;
  if (/\p{N}/u.test(word))
    return isHarmless(word) || (isInUnits(word) && !/\p{N}{4}/u.test(word)) ? null : unnumbered(word);
  if (/[._]/.test(word)) return isJoined(word, vocabulary) ? null : 'name';
  const parts = word.split(/['’]/);
  const known = parts.every((part, i) => (i > 0 && part.length <= 2) || isKnown(part));
  const isNamed = /^\p{Lu}/u.test(word) && !isFirstWord && !mayBeCapital(parts[0] ?? '') && !isInUnits(parts[0] ?? '');
  if (known && !isNamed) return null;
  return /^\p{Lu}/u.test(word) ? 'name' : 'word';
}

/** `built.Then`, `max_chunks`: known words, none of which is also a name. */
function isJoined(word: string, { isKnown, meaningsOf }: KnownWords): boolean {
  return word.split(/['’._]/).every((part) => isKnown(part) && meaningsOf(part) === null);
}

/** Words that are no names although always with capitals: `I`, days, months, and abbreviations such as `API`. */
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
