import { expect } from 'vitest';
import { toText } from './found.ts';
import { printTable } from './table.ts';

/** Figures of the ranking beside those that are wanted of it. */
export interface Wanted {
  readonly what: string;
  readonly wanted: readonly number[];
  readonly reached: readonly number[];
  /** Figures that no change may fall below. */
  readonly floor: readonly number[];
}

/** Prints what is wanted, and fails where a figure is below its floor. */
export function hold(all: readonly Wanted[]): void {
  printTable(
    'Wanted, reached, and the floor',
    ['', 'wanted', 'reached', 'floor'],
    all.map(({ what, wanted, reached, floor }) => [what, toText(wanted), toText(reached), toText(floor)]),
  );
  for (const { what, reached, floor } of all) {
    for (const [i, least] of floor.entries()) expect.soft(reached[i], what).toBeGreaterThanOrEqual(least);
  }
}
