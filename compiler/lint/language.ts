import { FOREIGN, SMALL } from '../quality/paraphrase/small-words.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import { ENGLISH, LANGUAGES, type Language } from '../schema/source/language.ts';
import type { Unit } from '../schema/source/unit.ts';

/** Scripts other than the Latin one, each with the languages that are written in it. */
const SCRIPTS: readonly (readonly [script: string, languages: readonly Language[]])[] = [
  ['Han', ['zh', 'ja', 'ko']],
  ['Hiragana', ['ja']],
  ['Katakana', ['ja']],
  ['Hangul', ['ko']],
  ['Cyrillic', ['bg', 'ru', 'uk']],
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

/** One small word of another language may be a name; several, and more than English ones, are none. */
const SEVERAL = 2;

/** The language of a text: a script that is not Latin, English, another language in Latin letters, or unclear. */
export function writtenIn(said: string): { readonly script: string } | 'english' | 'other' | 'unclear' {
  const text = said.replace(CODE, ' ');
  const letters = (text.match(/\p{L}/gu) ?? []).length;
  const counts = LETTERS.map((it) => (text.match(it) ?? []).length);
  const most = counts.indexOf(Math.max(...counts));
  if (2 * counts.reduce((all, it) => all + it, 0) > letters) return { script: SCRIPTS[most]?.[0] ?? '' };
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const foreign = words.filter((it) => FOREIGN.has(it)).length;
  const english = words.filter((it) => SMALL.has(it)).length;
  if (foreign >= SEVERAL && foreign > english) return 'other';
  return english > foreign ? 'english' : 'unclear';
}

const textOf = ({ delivery, content }: Unit) =>
  [delivery.description, ...delivery.load_triggers.intents, content].join('\n');

/** Whether what a unit is written in is not what its handbook declares. English stands beside any language. */
function differs(written: ReturnType<typeof writtenIn>, language: Language): boolean {
  if (typeof written !== 'object') return written === 'other' && language === ENGLISH;
  return !SCRIPTS.some(([script, languages]) => script === written.script && languages.includes(language));
}

/**
 * Units that are in another language than the handbook declares, as far as their script and their small words say; of a
 * handbook that declares another language than English, also that all of it is English.
 *
 * @param file where the declaration stands, or would
 */
export function findOtherLanguage(language: Language, units: readonly Unit[], file: string): Diagnostic[] {
  const written = units.map((unit) => ({ unit, is: writtenIn(textOf(unit)) }));
  const allEnglish = units.length > 0 && written.every(({ is }) => is === 'english');
  if (language !== ENGLISH && allEnglish) {
    const message = `the handbook declares ${LANGUAGES[language]}, but all its units are in English`;
    return [
      diagnostic(
        'language_differs',
        file,
        message,
        'remove language:, so that recall also compares with the built-in vectors',
      ),
    ];
  }
  return written
    .filter(({ is }) => differs(is, language))
    .map(({ unit, is }) => {
      const found = typeof is === 'object' ? `in ${is.script} script` : 'in another language';
      const message = `the unit is ${found}, but the handbook declares ${LANGUAGES[language]}`;
      const help = `declare its language in org.yaml or agent.yaml, such as language: zh, and let administrators approve it: vade approve --kind other_language; otherwise the compile stops at coverage_not_evaluated`;
      return diagnostic('language_differs', unit.file, message, help, unit.at('description'));
    });
}
