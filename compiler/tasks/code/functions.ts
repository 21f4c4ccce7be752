import type { ProgrammingLanguage } from './languages.ts';

/** A function by its lines, counted from 1; both are part of it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The functions of masked code, in the order of their first lines. One may lie in another. */
export function functionsIn(masked: string, language: ProgrammingLanguage): Span[] {
  if (language.family === 'other') return [];
  const spans = language.family === 'indent' ? byIndent(masked) : byBraces(masked, language);
  return spans.sort((a, b) => a.from - b.from || b.to - a.to);
}

/** As far as a head of a function may reach back from its `{`. */
const MAX_HEAD = 2000;

interface Open {
  readonly head: number | null;
}

function byBraces(masked: string, language: ProgrammingLanguage): Span[] {
  const spans: Span[] = [];
  const open: Open[] = [];
  const line = lineCounter(masked);
  for (let at = 0; at < masked.length; at++) {
    if (masked[at] === '{') open.push({ head: headOf(masked, at, language) });
    else if (masked[at] === '}') {
      const { head = null } = open.pop() ?? {};
      if (head !== null) spans.push({ from: line(head), to: line(at) });
    }
  }
  return spans;
}

/** Start of the head of the function whose body this `{` opens; null if it opens something else. */
function headOf(masked: string, brace: number, { heads }: ProgrammingLanguage): number | null {
  const start = Math.max(0, brace - MAX_HEAD);
  const before = masked.slice(start, brace);
  if (heads !== null) {
    // the end of the previous statement is not part of the head
    const found = heads.exec(before);
    return found === null ? null : start + found.index + (/^[\s;]*/.exec(found[0])?.[0].length ?? 0);
  }
  return arrowHead(before, start) ?? listHead(before, start);
}

const BRANCHES = ['if', 'for', 'while', 'switch', 'catch', 'with', 'await', 'synchronized', 'using', 'lock', 'fixed'];

/** One parameter without parentheses before an arrow, not a type after a list: the text before it cannot end a list. */
const BARE = /(?:=>|[=(,?{;}[]|(?<![)\s])\s*:|\b(?:return|async|default))\s*([\w$]+)$/;
/** Maximum number of characters before an arrow that are searched for a parameter. */
const MAX_BARE = 200;

/** `(a, b) => {` and `a => {`. */
function arrowHead(before: string, start: number): number | null {
  const text = before.trimEnd();
  if (!text.endsWith('=>')) return null;
  const rest = text.slice(0, -2).trimEnd();
  const bare = BARE.exec(rest.slice(-MAX_BARE))?.[1];
  if (bare !== undefined) return start + rest.length - bare.length;
  const list = rest.lastIndexOf(')') === -1 ? null : openOf(rest, rest.lastIndexOf(')'));
  return start + (list ?? Math.max(0, rest.search(/\w+$/)));
}

/** `name(a, b) {`, with what may stand between: a type, `const`, `throws X`. */
function listHead(before: string, start: number): number | null {
  const [between] = /\)(?:\s*:[^;{}()=]*|[\s\w.,<>?&*[\]]*)$/.exec(before) ?? [];
  if (between === undefined) return null;
  const open = openOf(before, before.length - between.length);
  if (open === null) return null;
  const [name = ''] = /[\w$]+(?:\s*<[^(){};]*>)?\s*$/.exec(before.slice(0, open)) ?? [];
  const word = /^[\w$]+/.exec(name)?.[0] ?? '';
  if (word === '' || BRANCHES.includes(word)) return null;
  return start + open - name.length;
}

/** Start of the list that ends at `close`. */
function openOf(text: string, close: number): number | null {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (text[at] === ')') depth++;
    else if (text[at] === '(' && --depth === 0) return at;
  }
  return null;
}

function byIndent(masked: string): Span[] {
  const lines = masked.split('\n');
  const spans: Span[] = [];
  const open: { from: number; indent: number }[] = [];
  let depth = 0;
  let last = 0;
  for (const [at, text] of lines.entries()) {
    const isStatement = depth === 0 && text.trim() !== '';
    if (isStatement) {
      const indent = text.length - text.trimStart().length;
      while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) {
        spans.push({ from: open.pop()?.from ?? 0, to: last });
      }
      if (/^\s*(?:async\s+)?def\s/.test(text)) open.push({ from: at + 1, indent });
    }
    depth += (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0);
    if (depth < 0) depth = 0;
    if (text.trim() !== '') last = at + 1;
  }
  for (const { from } of open) spans.push({ from, to: last });
  return spans;
}

/** The line of a place; each is asked for about once, so lines are counted once. */
function lineCounter(text: string): (at: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (at) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
}
