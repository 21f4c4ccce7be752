import { words } from '../../recall/signals/lexical.ts';
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

/**
 * The function words of a language as an index has words, sorted: no terms of a garden in it. Null for English, whose
 * own are no terms of any garden.
 */
export async function functionWordsOf(language: Language): Promise<readonly string[] | null> {
  if (language === ENGLISH) return null;
  const list = LISTS[language] ?? '';
  // only a handbook in another language needs it
  const { default: lists } = await import('stopword');
  const found = (lists[list] ?? []).map(words).filter((it) => it.length === 1);
  return [...new Set(found.flat())].sort(byText);
}
