import { createHash } from 'node:crypto';

/** Numbers in 0..1 that follow from a seed: mulberry32, started with the first four bytes of the seed's sha256. */
export function randomNumbers(seed: string): () => number {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A list in an order that follows from a seed (Fisher and Yates). */
export function shuffled<T>(list: readonly T[], seed: string): T[] {
  const random = randomNumbers(seed);
  const mixed = [...list];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}
