import type { Range } from './range.ts';

/** Code fences and code spans of a text that is not parsed, in order. */
export function codeRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let start = 0;
  let fence: { mark: string; from: number } | null = null;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) fence = { mark, from: start };
    else if (fence !== null && mark?.startsWith(fence.mark) && line.trim() === mark) {
      ranges.push({ from: fence.from, to: start + line.length });
      fence = null;
    } else if (fence === null && line.includes('`')) ranges.push(...spansIn(line, start));
    start += line.length + 1;
  }
  if (fence !== null) ranges.push({ from: fence.from, to: text.length });
  return ranges;
}

/** Spans between two runs of backticks of the same length; a run without a counterpart is text. */
function spansIn(line: string, start: number): Range[] {
  const runs = [...line.matchAll(/`+/g)].map((it) => ({ at: it.index, length: it[0].length }));
  const last = new Map(runs.map((it) => [it.length, it.at]));
  const found: Range[] = [];
  for (let i = 0; i < runs.length; i++) {
    const open = runs[i];
    if (!open || (last.get(open.length) ?? -1) <= open.at) continue;
    const close = runs.findIndex((it, j) => j > i && it.length === open.length);
    found.push({ from: start + open.at, to: start + (runs[close]?.at ?? open.at) + open.length });
    i = close;
  }
  return found;
}
