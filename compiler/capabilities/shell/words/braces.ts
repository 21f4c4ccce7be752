import { MAX_ALTERNATIVES } from './limits.ts';

/** A longer word is not expanded: nobody writes one. */
const MAX_TEXT = 1024;

const RANGE = /^(-?\d{1,6}|[A-Za-z])\.\.(-?\d{1,6}|[A-Za-z])$/;

/** Expands braces in a text without quotes and expansions, as bash does; null if there are too many words. */
export function expandBraces(text: string): string[] | null {
  // a long one would take quadratic time
  if (text.length > MAX_TEXT) return null;
  const found = findBrace(text, 0);
  if (found === null) return [text];
  const { start, end, items } = found;
  const words: string[] = [];
  for (const item of items) {
    const middle = expandBraces(item);
    const rest = expandBraces(text.slice(end));
    if (middle === null || rest === null) return null;
    words.push(...middle.flatMap((it) => rest.map((tail) => text.slice(0, start) + it + tail)));
    if (words.length > MAX_ALTERNATIVES * 16) return null;
  }
  return words;
}

function findBrace(text: string, from: number): { start: number; end: number; items: string[] } | null {
  const start = text.indexOf('{', from);
  if (start < 0) return null;
  const end = closing(text, start);
  const items = end < 0 ? [] : itemsOf(text.slice(start + 1, end));
  return items.length > 0 ? { start, end: end + 1, items } : findBrace(text, start + 1);
}

function closing(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

/** The words between two braces; none if they are no list and no range. */
function itemsOf(inside: string): string[] {
  const [, first, last] = RANGE.exec(inside) ?? [];
  if (first !== undefined && last !== undefined) return rangeOf(first, last);
  const items: string[] = [''];
  let depth = 0;
  for (const char of inside) {
    if (char === '{') depth++;
    if (char === '}') depth--;
    if (char === ',' && depth === 0) items.push('');
    else items.push((items.pop() ?? '') + char);
  }
  return items.length > 1 ? items : [];
}

function rangeOf(first: string, last: string): string[] {
  const isNumber = /\d/.test(first) && /\d/.test(last);
  const [a, b] = isNumber ? [Number(first), Number(last)] : [first.charCodeAt(0), last.charCodeAt(0)];
  const count = Math.min(Math.abs(a - b) + 1, MAX_ALTERNATIVES * 16);
  const step = a <= b ? 1 : -1;
  return Array.from({ length: count }, (_, n) => a + n * step).map((it) =>
    isNumber ? String(it) : String.fromCharCode(it),
  );
}
