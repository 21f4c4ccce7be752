/** Counts since the last test file of this process ended; absent where nobody asked for the costs. */
export interface Counted {
  cpu: number;
  compiles: number;
  readonly processes: Map<string, number>;
}

export const counted = globalThis as { vadeCosts?: Counted };

/** Counts a compile that this process runs. */
export function countCompile(): void {
  if (counted.vadeCosts) counted.vadeCosts.compiles += 1;
}
