import { stem } from '../../recall/signals/stem.ts';
import { ENGLISH } from '../../schema/source/language.ts';
import type { Lexicon } from '../../schema/source/lexicon.ts';
import { englishParser } from '../english-parser.ts';
import { JARGON } from '../redact/jargon.ts';
import { AMBIGUOUS, FOREIGN, SMALL } from './small-words.ts';
import { writtenIn } from './written-in.ts';

/** Whether a trigger is in another language than English, so that no paraphrase of it is made. */
export type IsOtherLanguage = (text: string) => boolean;

/** Both judgements of a lexicon. */
interface Judges {
  /** By evidence of the other language. */
  readonly inEnglishHandbook: IsOtherLanguage;
  /** By lack of English words. */
  readonly inOtherHandbook: IsOtherLanguage;
}

const built = new WeakMap<Lexicon, Judges>();

/**
 * The test by the parser's dictionary, words of offices and computers, and the lexicon. It is built at the first text,
 * once for all that ask. An unknown word is no evidence, for it may be a name; only in a handbook that declares another
 * language it is a word of that.
 *
 * @param isDeclared whether the handbook declares another language
 */
export function createIsOtherLanguage(lexicon: Lexicon, isDeclared = false): IsOtherLanguage {
  const judge = isDeclared ? 'inOtherHandbook' : 'inEnglishHandbook';
  return (text) => judgesOf(lexicon)[judge](text.normalize('NFKC'));
}

function judgesOf(lexicon: Lexicon): Judges {
  const judges = built.get(lexicon) ?? buildJudges(lexicon);
  built.set(lexicon, judges);
  return judges;
}

function buildJudges({ synsets, groups, frames }: Lexicon): Judges {
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
  const isEnglishWord = (word: string) => isKnown(withoutMarks(word.toLowerCase()));
  return {
    inEnglishHandbook: (text) => isShown(text, isEnglishWord),
    inOtherHandbook: (text) => isShown(text, isEnglishWord) || !isMostlyEnglish(text, isEnglishWord),
  };
}

/** `résumé` is English as `resume` is. */
const withoutMarks = (word: string) => word.normalize('NFD').replace(/\p{M}/gu, '');

type Test = (word: string) => boolean;

const FUNCTION_WORDS = new Set(
  Object.values(FOREIGN)
    .flatMap((it) => [...it])
    .filter((it) => !SMALL.has(it)),
);

const wordsOf = (text: string) => text.match(/\p{L}[\p{L}\p{M}]*/gu) ?? [];

/** Evidence of another language: its script, two of its function words, or letters with marks. */
function isShown(text: string, isEnglishWord: Test): boolean {
  const is = writtenIn(text);
  if (is === 'unclear') return isMarked(wordsOf(text), isEnglishWord);
  return 'script' in is || is.language !== ENGLISH;
}

/** Whether a word with marks is no English one, and not only part of a name: `the Müller account`, `El Niño`. */
function isMarked(words: readonly string[], isEnglishWord: Test): boolean {
  const marked = words.filter((it) => /[^a-z]/i.test(it) && !isEnglishWord(it));
  if (marked.length === 0) return false;
  return words.length === 1 || marked.some(isLower) || words.some((it) => isLower(it) && FUNCTION_WORDS.has(it));
}

const isLower = (word: string) => word === word.toLowerCase();

/** A function word of another language, or a word with letters that English ones do not have. */
const isForeign = (word: string, isEnglishWord: Test) =>
  /[^a-z]/.test(word) ? !isEnglishWord(word) : FUNCTION_WORDS.has(word) && !AMBIGUOUS.has(word);

/** Whether half of the words at least are English, and none says the contrary. */
function isMostlyEnglish(text: string, isEnglishWord: Test): boolean {
  const words = wordsOf(text);
  if (words.some((it) => isForeign(it.toLowerCase(), isEnglishWord))) return false;
  return 2 * words.filter(isEnglishWord).length >= words.length;
}
