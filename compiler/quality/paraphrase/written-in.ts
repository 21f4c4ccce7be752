import { SPACELESS } from '../../recall/signals/character-pairs.ts';
import { ENGLISH, type Language } from '../../schema/source/language.ts';
import { AMBIGUOUS, FOREIGN, SMALL } from './small-words.ts';

/** The language of a text: a script that is not Latin, English, another language in Latin letters, or unclear. */
export type WrittenIn = { readonly script: string } | { readonly language: Language } | 'unclear';

/** Scripts other than the Latin one, each with the languages that are written in it. */
const SCRIPTS: readonly (readonly [script: string, languages: readonly Language[]])[] = [
  ['Han', ['zh', 'ja', 'ko']],
  ['Hiragana', ['ja']],
  ['Katakana', ['ja']],
  ['Hangul', ['ko']],
  ['Cyrillic', ['ru', 'bg', 'uk']],
  ['Greek', ['el']],
  ['Arabic', ['ar']],
  ['Hebrew', ['he']],
  ['Devanagari', ['hi']],
  ['Thai', ['th']],
  ['Lao', ['lo']],
  ['Khmer', ['km']],
  ['Myanmar', ['my']],
];
const LETTERS = SCRIPTS.map(([script]) => new RegExp(`\\p{Script=${script}}`, 'gu'));

/** Code is in no language. */
const CODE = /```[^]*?(?:```|$)|`[^`\n]*`/g;

const LATIN = /(?=\p{L})\p{Script=Latin}[\p{Script=Latin}\p{M}]*/gu;
/** Words of other letters (not a symbol such as Ω), and pairs of characters of a script without spaces. */
const OTHER = new RegExp(`(?:(?=\\p{L})[${SPACELESS}]){1,2}|(?:(?=\\p{L})[^\\p{Script=Latin}]\\p{M}*){2,}`, 'gu');

/** Two different function words: one may be a name, or an English word. */
const SEVERAL = 2;

const countOf = (text: string, what: RegExp) => text.match(what)?.length ?? 0;

/**
 * The language of a text, as far as its letters and function words show it. Words that no list has show nothing.
 *
 * @param said a trigger, or a whole document
 */
export function writtenIn(said: string): WrittenIn {
  const text = said.normalize('NFC').replace(CODE, ' ');
  const words = text.match(LATIN) ?? [];
  if (countOf(text, OTHER) > words.length) {
    const counts = LETTERS.map((it) => countOf(text, it));
    const most = counts.indexOf(Math.max(...counts));
    return { script: counts[most] === 0 ? '' : (SCRIPTS[most]?.[0] ?? '') };
  }
  const small = words.filter(isPlain).map((it) => it.toLowerCase());
  const found = Object.keys(FOREIGN).map((it) => countWords(it as Language, small));
  const best = found.reduce((a, b) => (b.own - b.english > a.own - a.english ? b : a));
  if (best.isShown && best.own > best.english) return { language: best.language };
  const english = small.filter((it) => SMALL.has(it)).length;
  return english > Math.max(...found.map(({ own }) => own)) ? { language: ENGLISH } : 'unclear';
}

/** A word with a capital is a name, unless a sentence may begin with it. */
const isPlain = (word: string, at: number) => (at === 0 ? /^\p{L}\p{Ll}*$/u : /^\p{Ll}+$/u).test(word);

/** Counts words of a language that no English text has, and English ones that it has not. */
function countWords(language: Language, words: readonly string[]) {
  const listed = FOREIGN[language] ?? new Set();
  const own = words.filter((it) => listed.has(it) && !SMALL.has(it));
  const english = words.filter((it) => SMALL.has(it) && !listed.has(it)).length;
  const isShown = new Set(own).size >= SEVERAL && own.some((it) => !AMBIGUOUS.has(it));
  return { language, own: own.length, english, isShown };
}

/** Whether a text in this script may be in this language. */
export const isScriptOf = (script: string, language: Language) =>
  SCRIPTS.some(([name, languages]) => name === script && languages.includes(language));

const isEnglish = (is: WrittenIn) => typeof is === 'object' && 'language' in is && is.language === ENGLISH;

/**
 * The language of most texts, as far as script, letters and function words show it. English where as many are in
 * English, or where nothing shows it.
 */
export function languageIn(texts: readonly string[]): Language {
  const written = texts.map((text) => ({ text, is: writtenIn(text) }));
  const foreign = written.filter(({ is }) => typeof is === 'object' && !isEnglish(is));
  if (foreign.length <= written.filter(({ is }) => isEnglish(is)).length) return ENGLISH;
  const all = foreign.map(({ text }) => text).join('\n');
  const is = writtenIn(all);
  if (is === 'unclear') return ENGLISH;
  return 'language' in is ? is.language : byScript(is.script, all);
}

/** In a Japanese text at least one letter of this many is kana; a Chinese one may name something Japanese. */
const KANA = 10;

function byScript(script: string, text: string): Language {
  if (script === 'Cyrillic') return /[іїє]/i.test(text) ? 'uk' : /[ыэё]/i.test(text) ? 'ru' : 'bg';
  // Chinese has no kana, and Japanese is seldom without
  if (script === 'Han' && countOf(text, /[\u3041-\u30fa]/g) * KANA > countOf(text, /\p{Script=Han}/gu)) return 'ja';
  return SCRIPTS.find(([name]) => name === script)?.[1][0] ?? ENGLISH;
}
