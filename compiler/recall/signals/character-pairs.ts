/**
 * Scripts that put no spaces between words: those that Unicode's line breaking breaks between ideographs, or leaves to
 * a dictionary (UAX #14, class SA).
 */
const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Yi', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const RARER_SCRIPTS = ['Tai_Le', 'New_Tai_Lue', 'Tai_Tham', 'Tai_Viet'];

/** Letters and digits of these scripts, as the inside of a class. */
export const SPACELESS = [...SCRIPTS, ...RARER_SCRIPTS].map((script) => `\\p{Script_Extensions=${script}}`).join('');

/** A character as it is read, with its vowel signs, tones and marks. Modifier letters below are of many scripts. */
const CHARACTER = `(?=[\\p{L}\\p{N}])(?![\\0-\\u0DFF])[${SPACELESS}]\\p{M}*`;

/** The start of the first of these scripts: nearly all words are decided by that. */
const FIRST = '\u0E00';

const CHARACTERS = new RegExp(CHARACTER, 'gu');
const RUNS = new RegExp(`((?:${CHARACTER})+)`, 'u');
const HAS_SOME = new RegExp(CHARACTER, 'u');
const IS_FIRST = new RegExp(`^${CHARACTER}`, 'u');
const HIRAGANA = /^\p{Script_Extensions=Hiragana}+$/u;

/** Whether a text has characters of a script without spaces. */
export const hasSpaceless = (text: string) => HAS_SOME.test(text);

/** Whether a word is a pair of such characters, or one that stands alone. */
export const isPair = (word: string) => word >= FIRST && IS_FIRST.test(word);

/**
 * Splits a text (NFKC) into runs of these characters and what is between them: every second part is a run, the first
 * none.
 */
export const splitRuns = (text: string) => text.split(RUNS);

/** The pairs of neighbouring characters of a run, or its only one. */
export function pairsOf(run: string): string[] {
  const characters = run.match(CHARACTERS) ?? [];
  return characters.length === 1 ? characters : characters.slice(1).map((it, i) => `${characters[i] ?? ''}${it}`);
}

/** Whether a word is hiragana alone: an ending or a particle, which every sentence has. */
export const isHiragana = (word: string) => word >= FIRST && HIRAGANA.test(word);
