import { spelledWords } from '../../recall/signals/words.ts';
import { ENGLISH, type Language } from '../../schema/source/language.ts';
import { byText } from '../../trust/canonical.ts';

/** Names of the languages in the package of lists: ISO 639-3. It has none of Khmer and Lao. */
const LISTS: Readonly<Partial<Record<Language, string>>> = {
  ar: 'ara',
  bg: 'bul',
  cs: 'ces',
  da: 'dan',
  de: 'deu',
  el: 'ell',
  es: 'spa',
  fi: 'fin',
  fr: 'fra',
  he: 'heb',
  hi: 'hin',
  hu: 'hun',
  id: 'ind',
  it: 'ita',
  ja: 'jpn',
  ko: 'kor',
  my: 'mya',
  nb: 'nob',
  nl: 'nld',
  pl: 'pol',
  pt: 'por',
  ro: 'ron',
  ru: 'rus',
  sv: 'swe',
  th: 'tha',
  tr: 'tur',
  uk: 'ukr',
  vi: 'vie',
  zh: 'zho',
};

/** An entry that is more than a word, such as "z.b", would take its parts along. */
const WORD = /^[\p{L}\p{M}\p{N}]+$/u;

/** The function words of a language as they are spelled, in lower case, sorted. Null for English. */
export async function functionWordsOf(language: Language): Promise<readonly string[] | null> {
  if (language === ENGLISH) return null;
  const list = LISTS[language] ?? '';
  // only a handbook in another language needs it
  const { default: lists } = await import('stopword');
  const entries = (lists[list] ?? []).filter((it) => WORD.test(it));
  const found = entries.map((it) => spelledWords(it).lower).filter((it) => it.length === 1);
  return [...new Set(found.flat())].sort(byText);
}
