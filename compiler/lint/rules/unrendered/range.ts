/** A part of a text, in UTF-16 units. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

const byPlace = (a: Range, b: Range) => a.from - b.from || a.to - b.to;

/** The parts of a text that none of the ranges covers, in order. */
export function outside(ranges: readonly Range[], { from, to }: Range): Range[] {
  const left: Range[] = [];
  let at = from;
  for (const range of [...ranges].sort(byPlace)) {
    if (range.from > at) left.push({ from: at, to: Math.min(range.from, to) });
    at = Math.max(at, range.to);
  }
  return at < to ? [...left, { from: at, to }] : left;
}

/** Whether one of the ranges covers an index; they are in order and do not overlap. */
export function covers(ranges: readonly Range[], index: number): boolean {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.to ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low];
  return range !== undefined && range.from <= index;
}
