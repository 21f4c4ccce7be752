/** The width of a text of a plot, in pixels. */
export type WidthOf = (text: string) => number;

/** Between a label and the marks beside it. */
const GAP = 10;

/** Rotated heads stand this steep, in degrees. */
const STEEP = 60;

/** A steep head is as high as this share of its length, and leans out by the other. */
const [RISE, LEAN] = [Math.sin((STEEP * Math.PI) / 180), Math.cos((STEEP * Math.PI) / 180)];

/** The whole text if it fits, otherwise its begin and end: names of units often differ only there. */
export function shortened(text: string, most: number, widthOf: WidthOf): string {
  if (widthOf(text) <= most) return text;
  for (let kept = text.length - 1; kept > 1; kept--) {
    const begin = Math.ceil(kept / 2);
    const short = `${text.slice(0, begin)}…${text.slice(text.length - (kept - begin))}`;
    if (widthOf(short) <= most) return short;
  }
  return '…';
}

/** Names at the side of a plot: the margin that they need, at most `most`, and each as it fits in there. */
export function sideLabels(names: readonly string[], most: number, widthOf: WidthOf) {
  const room = Math.min(Math.max(40, ...names.map(widthOf)), most - GAP);
  return { margin: Math.ceil(room) + GAP, tickFormat: (name: string) => shortened(name, room, widthOf) };
}

/** Heads above the columns of a plot: level where each fits above its column, otherwise steep and shortened. */
export function columnHeads(
  names: readonly string[],
  { room, most }: { readonly room: number; readonly most: number },
  widthOf: WidthOf,
) {
  const column = room / Math.max(1, names.length);
  const widest = Math.max(0, ...names.map(widthOf));
  if (widest + GAP <= column)
    return { marginTop: 30, marginRight: 20, tickRotate: 0, tickFormat: (name: string) => name };
  const length = Math.min(widest, most);
  return {
    marginTop: Math.ceil(length * RISE) + 2 * GAP,
    // the last head leans out over the last column
    marginRight: Math.max(20, Math.ceil(length * LEAN - column / 2) + GAP),
    tickRotate: -STEEP,
    tickFormat: (name: string) => shortened(name, length, widthOf),
  };
}

/** Number of ticks that fit on an axis of this length. */
export function ticksIn(length: number): number {
  return Math.max(2, Math.min(5, Math.floor(length / 75)));
}
