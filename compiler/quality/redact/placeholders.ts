/** The kinds of placeholders that replace personal data in a redacted text. */
export const PLACEHOLDERS = [
  'secret',
  'url',
  'email',
  'handle',
  'host',
  'path',
  'date',
  'id',
  'address',
  'account',
  'ticket',
  'amount',
  'phone',
  'number',
  'person',
  'place',
  'company',
  'name',
  'word',
] as const;

export type Placeholder = (typeof PLACEHOLDERS)[number];

/** During redaction, a placeholder is one private-use character, which no pattern matches. */
const FIRST = 0xe000;

export function markOf(placeholder: Placeholder): string {
  return String.fromCharCode(FIRST + PLACEHOLDERS.indexOf(placeholder));
}

const MARKS = new RegExp(`[${markOf('secret')}-${markOf('word')}]`, 'g');

/** The placeholders of a text, in their order. */
export function marksIn(text: string): Placeholder[] {
  return (text.match(MARKS) ?? []).map((it) => PLACEHOLDERS[it.charCodeAt(0) - FIRST] ?? 'word');
}

const NUMBERS = `[${(['date', 'id', 'address', 'account', 'ticket', 'amount', 'phone', 'number'] as const).map(markOf).join('')}]`;
const BETWEEN = "[\\s().,:;'’/\\\\_+*–—-]{0,3}";

/** Removes digits next to the placeholder of a number: they are the rest of the number. */
export function absorbDigits(text: string): string {
  return text
    .replace(new RegExp(`(${NUMBERS})(?:${BETWEEN}\\d+(?![\\p{L}\\p{N}]))+`, 'gu'), '$1')
    .replace(new RegExp(`(?<![\\p{L}\\p{N}])(?:\\d+${BETWEEN})+(${NUMBERS})`, 'gu'), '$1');
}

const PARTS = `[${(['id', 'account', 'phone', 'number'] as const).map(markOf).join('')}]`;

/** Removes letters next to a placeholder: the rest of a word is useless, or reveals too much. */
export function absorbLetters(text: string): string {
  return text.replace(new RegExp(`[\\p{L}\\p{M}\\p{N}_]*(${PARTS})[\\p{L}\\p{M}\\p{N}_]*`, 'gu'), '$1');
}

/** Merges neighbouring placeholders of one kind. */
export function merge(text: string): string {
  return text.replace(new RegExp(`(${MARKS.source})(?:[\\s'’.-]*\\1)+`, 'g'), '$1');
}

/** Writes placeholders out: `<email>`. */
export function writeOut(text: string): string {
  return text
    .replace(MARKS, (it) => ` <${PLACEHOLDERS[it.charCodeAt(0) - FIRST] ?? 'word'}> `)
    .replace(/ +/g, ' ')
    .replace(/ (?=[.,;:!?)\]'’])|(?<=[([]) /g, '')
    .trim();
}
