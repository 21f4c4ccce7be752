import { writtenIn } from '../../lint/language.ts';
import { ENGLISH, type Language } from '../../schema/source/language.ts';

/** The function words of a language. */
export type WordsOf = (language: Language) => Promise<readonly string[] | null>;

/** Scripts of one language each; the others are told apart by letters. */
const SCRIPTS: Readonly<Record<string, Language>> = {
  Arabic: 'ar',
  Devanagari: 'hi',
  Greek: 'el',
  Hangul: 'ko',
  Hebrew: 'he',
  Hiragana: 'ja',
  Katakana: 'ja',
  Khmer: 'km',
  Lao: 'lo',
  Myanmar: 'my',
  Thai: 'th',
};

/** Languages in Latin letters. */
const LATIN: readonly Language[] = [
  'cs',
  'da',
  'de',
  'es',
  'fi',
  'fr',
  'hu',
  'id',
  'it',
  'nb',
  'nl',
  'pl',
  'pt',
  'ro',
  'sv',
  'tr',
  'vi',
];

/** The most characters that are read: a longer text shows no more of its language. */
const MOST = 200_000;

/**
 * The language of most texts, as far as script, letters and small words show it; English where more of them are in
 * English or nothing shows it. Code is in no language.
 */
export async function languageIn(texts: readonly string[], wordsOf: WordsOf): Promise<Language> {
  const written = texts.map((text) => ({ text, is: writtenIn(text) }));
  const foreign = written.filter(({ is }) => is === 'other' || typeof is === 'object');
  if (foreign.length <= written.filter(({ is }) => is === 'english').length) return ENGLISH;
  const all = foreign
    .map(({ text }) => text)
    .join('\n')
    .slice(0, MOST);
  const scripts = foreign.flatMap(({ is }) => (typeof is === 'object' ? [is.script] : []));
  return 2 * scripts.length > foreign.length ? byScript(scripts, all) : byWords(all, wordsOf);
}

function byScript(scripts: readonly string[], text: string): Language {
  const count = (script: string) => scripts.filter((it) => it === script).length;
  const [most = ''] = [...new Set(scripts)].sort((a, b) => count(b) - count(a));
  if (most === 'Cyrillic') return /[іїє]/i.test(text) ? 'uk' : /[ыэё]/i.test(text) ? 'ru' : 'bg';
  const letters = (of: RegExp) => text.match(of)?.length ?? 0;
  // Chinese has no kana, and Japanese is seldom without
  if (most === 'Han') return letters(/[\u3041-\u30fa]/g) * KANA > letters(/\p{Script=Han}/gu) ? 'ja' : 'zh';
  return SCRIPTS[most] ?? ENGLISH;
}

/** Of a Japanese text, one letter of so many at least is kana; a Chinese one may name something Japanese. */
const KANA = 10;

/** The language whose function words are most of a text's words. */
async function byWords(text: string, wordsOf: WordsOf): Promise<Language> {
  const said = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const counts = await Promise.all(
    LATIN.map(async (language) => {
      const known = new Set(await wordsOf(language));
      return { language, count: said.filter((it) => known.has(it)).length };
    }),
  );
  const [best] = counts.sort((a, b) => b.count - a.count);
  return best && best.count > 0 ? best.language : ENGLISH;
}
