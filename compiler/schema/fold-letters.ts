/**
 * Characters that nobody sees: format characters, fillers and variation selectors, and the line that only lengthens an
 * Arabic word. A zero-width space separates words; so does a zero-width non-joiner after an Arabic letter, as in
 * Persian.
 */
const UNSEEN = /(?![\u200B\u200C])[\p{Default_Ignorable_Code_Point}\u0640]|(?<!\p{Script_Extensions=Arabic})\u200C/gu;

/** Digits of the scripts that handbooks are in, and the apostrophe that Unicode counts among the letters. */
const SAME = /[\u02BC٠-٩۰-۹०-९๐-๙໐-໙၀-၉០-៩]/g;
const DIGITS = new Map(
  Array.from('٠۰०๐໐၀០').flatMap((zero) =>
    Array.from('0123456789', (digit, n) => [String.fromCharCode(zero.charCodeAt(0) + n), digit] as const),
  ),
);

/** A letter whose marks are accents or points. In other scripts a mark may be a vowel: another word is without it. */
const LETTER = '(?!\\p{M})[\\p{sc=Latin}\\p{sc=Greek}\\p{sc=Cyrillic}\\p{sc=Hebrew}\\p{sc=Arabic}\\p{N}]';
const MARKED = new RegExp(`(${LETTER})\\p{M}+`, 'gu');
const GREEK = /[\u0370-\u03FF\u1F00-\u1FFF]/;
const ACCENTED_GREEK = /((?!\p{M})\p{sc=Greek})\p{M}+/gu;

/** Unicode's full case folding where it is not the lower case; then letters that people write in two ways at will. */
const CASE: Readonly<Record<string, string>> = { ß: 'ss', ς: 'σ', ё: 'е', ş: 'ș', ţ: 'ț' };
const CASED = /[ßςёşţ]/g;

/** Letters that Unicode does not decompose into a plain one and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  þ: 'th',
  ŧ: 't',
  ґ: 'г',
  // Arabic as it is usually typed, and on Persian keyboards
  ٱ: 'ا',
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
};
const UNDECOMPOSED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

const ASCII = /^[\0-\x7f]*$/;

const withoutMarks = (text: string) => text.replace(MARKED, '$1');

/** A text without characters that nobody sees, in NFKC, with ASCII digits. */
export function plainText(text: string): string {
  return text
    .replace(UNSEEN, '')
    .normalize('NFKC')
    .replace(SAME, (it) => DIGITS.get(it) ?? "'");
}

/**
 * A plain text with its case folded, and its letters as they are spelled: without points and stress marks, which belong
 * to no spelling. Greek accents are stress marks, which capitals do not have.
 */
export function foldCase(plain: string): string {
  const lower = withoutMarks(plain.toLowerCase()).replace(CASED, (it) => CASE[it] ?? it);
  return GREEK.test(lower) ? lower.normalize('NFD').replace(ACCENTED_GREEK, '$1').normalize('NFC') : lower;
}

/** A text, whose case is folded, without accents and with plain letters for those that Unicode does not decompose. */
export function foldLetters(text: string): string {
  if (ASCII.test(text)) return text;
  return withoutMarks(text.normalize('NFD')).replace(UNDECOMPOSED, (it) => LETTERS[it] ?? it);
}
