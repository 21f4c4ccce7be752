import { stem } from '../../recall/signals/stem.ts';
import type { Lexicon } from '../../schema/source/lexicon.ts';
import { englishParser } from '../english-parser.ts';
import { JARGON } from '../redact/jargon.ts';
import { FOREIGN, SMALL } from './small-words.ts';

/** Tells whether a text is English, as far as its words say. */
export type IsEnglish = (text: string) => boolean;

const built = new WeakMap<Lexicon, IsEnglish>();

/**
 * The test by the parser's dictionary, words of offices and computers, and the lexicon. It is built at the first text,
 * once for all that ask.
 */
export function createIsEnglish(lexicon: Lexicon): IsEnglish {
  return (text) => testOf(lexicon)(text);
}

function testOf(lexicon: Lexicon): IsEnglish {
  const test = built.get(lexicon) ?? buildTest(lexicon);
  built.set(lexicon, test);
  return test;
}

/** Whether a text has words, and they are those of another language than English. */
export function isOtherLanguage(text: string, isEnglish: IsEnglish): boolean {
  return /\p{L}/u.test(text) && !isEnglish(text);
}

function buildTest({ synsets, groups, frames }: Lexicon): IsEnglish {
  const { one } = englishParser().model() as unknown as {
    readonly one: { readonly lexicon: Readonly<Record<string, unknown>> };
  };
  const said = new Set<string>();
  const add = (phrase: string) => {
    for (const word of phrase.toLowerCase().split(/[^a-z]+/)) said.add(word);
  };
  for (const phrase of Object.keys(one.lexicon)) add(phrase);
  for (const { say, for: meant } of Object.values(synsets)) [...say, ...meant].forEach(add);
  for (const sets of Object.values(groups)) Object.values(sets).flat().forEach(add);
  frames.forEach(add);
  let stems: ReadonlySet<string> | undefined;
  // some ten thousand words: most texts are judged without their stems
  const isStem = (word: string) => (stems ??= new Set([...said].map(stem))).has(word);
  const isListed = (word: string) => said.has(word) || SMALL.has(word) || JARGON.has(word);
  const isKnown = (word: string) => isListed(word) || isListed(stem(word)) || isStem(word) || isStem(stem(word));
  return (text) => judge(text, (word) => isKnown(word) || isKnown(withoutMarks(word)), isListed);
}

/** `résumé` is English as `resume` is. */
const withoutMarks = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '');

/** Endings of other languages: an unknown word that has none of them may be a name, or a rare English word. */
const ENDING =
  /(?:ung|ungen|keit|heit|schaft|ieren|lich|isch|[bcdfghklmnprstz]en|mente|zione|zioni|mento|ados?|adas?|idos?|idas?|aggio|eux|euse|ais|ait|oir|ando|endo|ijk|ij|ar|ez)$/;

/**
 * Whether one small word of another language stands among English words: `one change per file`, `comment code`,
 * `a flight to Los Angeles`. Most of the other words are English then.
 */
function isAmongEnglish(words: readonly string[], isKnown: (word: string) => boolean): boolean {
  const others = words.filter((it) => !FOREIGN.has(it));
  const known = others.filter(isKnown).length;
  return others.length > 0 && words.length - others.length === 1 && 3 * known >= 2 * others.length;
}

type Test = (word: string) => boolean;

/**
 * Not English: other letters, small words of another language where no English one stands, or words that end like one.
 *
 * @param isListed the quick part of `isKnown`
 */
function judge(text: string, isKnown: Test, isListed: Test): boolean {
  const plain = text.normalize('NFKC').toLowerCase();
  const letters = plain.match(/\p{L}/gu) ?? [];
  const others = letters.filter((it) => !/\p{Script=Latin}/u.test(it));
  if (letters.length === 0 || others.length * 2 > letters.length) return false;
  const words = (plain.match(/[\p{L}\p{M}]+(?:['’](?:s|t|m|d|re|ve|ll)\b)?/gu) ?? []).map((it) =>
    it.replace(/['’].*$/, ''),
  );
  const small = words.filter((it) => SMALL.has(it)).length;
  const foreign = words.filter((it) => FOREIGN.has(it)).length;
  const marked = words.filter((it) => /[^a-z]/.test(it)).length;
  const areMost = (test: Test) => 2 * words.filter(test).length >= words.length;
  if (foreign > small && !isAmongEnglish(words, isKnown)) return false;
  // `the Müller account`: a name or a borrowed word among English ones
  if (marked > 0) return small > 0 || 3 * words.filter(isKnown).length >= 2 * words.length;
  if (words.length === 1 || areMost(isListed)) return true;
  return !words.some((it) => ENDING.test(it) && !isKnown(it)) || areMost(isKnown);
}
