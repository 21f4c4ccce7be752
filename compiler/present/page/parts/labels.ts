/** The width of a text of a plot, in pixels. */
export type WidthOf = (text: string) => number;

/** Between a label and the marks beside it. */
const GAP = 10;

/** Rotated heads stand this steep, in degrees. */
const STEEP = 60;

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
  const angle = (STEEP * Math.PI) / 180;
  return {
    marginTop: Math.ceil(length * Math.sin(angle)) + 2 * GAP,
    // the last head leans out over the last column
    marginRight: Math.max(20, Math.ceil(length * Math.cos(angle) - column / 2) + GAP),
    tickRotate: -STEEP,
    tickFormat: (name: string) => shortened(name, length, widthOf),
  };
}

/** How many ticks an axis of this length has place for. */
export function ticksIn(length: number): number {
  return Math.max(2, Math.min(5, Math.floor(length / 75)));
}
