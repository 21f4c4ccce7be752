/** ASCII text needs no normalisation except lower case. */
const ASCII = /^[\t\n\r\x20-\x7e]*$/;
const ASCII_WORDS = /[a-z0-9]+|[^\sa-z0-9]/g;

/** Control and format characters, private use, and lone surrogates; the library removes them. */
const SILENT = /(?![\t\n\r])[\uFFFD\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/** Ideographs: each is a word. Those outside the basic plane are not separated, as in the library. */
const IDEOGRAPHS = /[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF]/g;

const ACCENTS = /[\u0300-\u036F]/g;

const MARK = '\\p{P}\\u0021-\\u002F\\u003A-\\u0040\\u005B-\\u0060\\u007B-\\u007E';
const WORDS = new RegExp(`[^\\s${MARK}]+|[${MARK}]`, 'gu');

/**
 * A text's words and punctuation marks in lower case and without accents, as BertNormalizer and BertPreTokenizer
 * produce them. Untrusted input.
 */
export function bertWords(text: string): readonly string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORDS) ?? [];
  const spaced = text.replace(SILENT, '').replace(IDEOGRAPHS, ' $& ');
  return spaced.toLowerCase().normalize('NFD').replace(ACCENTS, '').match(WORDS) ?? [];
}
