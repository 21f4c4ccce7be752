import type { RootStatement } from '../schema/bundle/bundle.ts';
import type { Coverage } from '../schema/bundle/coverage.ts';
import type { GardenStatement } from '../schema/bundle/garden.ts';
import type { ProbeReport } from '../schema/source/probe.ts';

/** An earlier bundle to build on, its root proven. It never changes what is compiled, but it may refuse. */
export interface Previous {
  readonly root: RootStatement;
  /** Ids of the keys that signed it, in order. */
  readonly signed_by: readonly string[];
  /** What was said of a garden, proven; null where there was none. */
  readonly statement: (garden: string) => GardenStatement | null;
  /** Whether every file of a garden is as it was signed: only then is there anything to take over. */
  readonly isWhole: (garden: string) => boolean;
  /** How its units were found, proven; null where that was not judged, or is damaged. */
  readonly coverage: (garden: string) => Coverage | null;
  /** How its probes fared, proven; null where it had none, or they are damaged. */
  readonly probes: (garden: string) => ProbeReport | null;
}
