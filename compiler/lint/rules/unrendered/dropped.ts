import type { Range } from './range.ts';

/** Lines with their offsets. */
function* linesOf(text: string, from: number): Generator<{ readonly line: string; readonly from: number }> {
  let start = from;
  for (const line of text.split('\n')) {
    yield { line, from: start };
    start += line.length + 1;
  }
}

const DELIMITERS = /^[ \t>]*\|?(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?[ \t]*$/;

/** Ends of the cells of a row, without the bars around it. */
function cellEnds(line: string): number[] {
  const first = /^[ \t>]*\|?/.exec(line)?.[0].length ?? 0;
  const ends = [...line.matchAll(/\\?\|/g)].filter((it) => it[0] === '|' && it.index >= first).map((it) => it.index);
  return line.slice((ends.at(-1) ?? -1) + 1).trim() === '' ? ends : [...ends, line.length];
}

/** Cells of rows beyond the columns of the table: GitHub drops them. @param paragraph as it is written, at `from` */
export function surplusCells(paragraph: string, from: number): Range[] {
  if (!paragraph.includes('|')) return [];
  const lines = [...linesOf(paragraph, from)];
  const delimiters = lines.findIndex(({ line }, i) => i > 0 && line.includes('|') && DELIMITERS.test(line));
  if (delimiters === -1) return [];
  const columns = cellEnds(lines[delimiters]?.line ?? '').length;
  return lines.slice(delimiters + 1).flatMap(({ line, from: start }) => {
    const ends = cellEnds(line);
    const last = ends[columns - 1];
    return ends.length > columns && last !== undefined ? [{ from: start + last, to: start + line.length }] : [];
  });
}

const FOOTNOTE = /^ {0,3}\[\^([^\]\s]{1,200})\]:/;

/** Unused footnotes, and second ones of a label: GitHub shows neither. @param isCode whether an index is in code */
export function idleFootnotes(text: string, isCode: (index: number) => boolean): Range[] {
  const used = new Set([...text.matchAll(/\[\^([^\]\s]{1,200})\](?!:)/g)].map((it) => it[1]?.toLowerCase()));
  const found: Range[] = [];
  let open: { readonly from: number; readonly isIdle: boolean; isOver: boolean } | null = null;
  const close = (to: number) => {
    if (open?.isIdle) found.push({ from: open.from, to });
    open = null;
  };
  const seen = new Set<string>();
  for (const { line, from } of linesOf(text, 0)) {
    const label = FOOTNOTE.exec(line)?.[1]?.toLowerCase();
    if (label !== undefined && !isCode(from + line.indexOf('['))) {
      close(from);
      open = { from, isIdle: !used.has(label) || seen.has(label), isOver: false };
      seen.add(label);
    } else if (open && line.trim() === '') open.isOver = true;
    else if (open?.isOver && !/^(?: {4}|\t)/.test(line)) close(from);
    else if (open) open.isOver = false;
  }
  close(text.length);
  return found;
}
