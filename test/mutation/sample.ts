/** The same `count` of all for the same seed, in their order. */
export function sampleOf<T>(all: readonly T[], count: number, seed: number): T[] {
  let state = seed >>> 0;
  // mulberry32
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const drawn = all.map((it, at) => ({ it, at, lot: random() })).sort((a, b) => a.lot - b.lot);
  return drawn
    .slice(0, count)
    .sort((a, b) => a.at - b.at)
    .map(({ it }) => it);
}
