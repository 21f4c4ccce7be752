import type { RootStatement } from '../schema/bundle/bundle.ts';
import type { CapabilityStatement } from '../schema/bundle/capability-garden.ts';
import type { Coverage } from '../schema/bundle/coverage.ts';
import type { GardenStatement } from '../schema/bundle/garden.ts';
import type { Manifest } from '../schema/bundle/manifest.ts';
import type { ProbeReport } from '../schema/source/probe.ts';

/** The previous bundle, with a verified root. It never changes the result of a compile, but can make it fail. */
export interface Previous {
  readonly root: RootStatement;
  /** IDs of the keys that signed it, in order. */
  readonly signed_by: readonly string[];
  /** Facts that administrators withdrew from it, as `withdrawnKey`. */
  readonly withdrawn: () => ReadonlySet<string>;
  /** The verified statement of a garden; null if there was none. */
  readonly statement: (garden: string) => GardenStatement | null;
  /** The verified statement of its atoms and roles; null if it had none. */
  readonly capabilities: () => CapabilityStatement | null;
  /** Whether every file of a garden verifies; only then it can be reused. */
  readonly isWhole: (garden: string) => boolean;
  /** The verified manifest of a garden; null if it has none, or it is damaged. */
  readonly manifest: (garden: string) => Manifest | null;
  /** The verified coverage of a garden; null if it was not evaluated, or is damaged. */
  readonly coverage: (garden: string) => Coverage | null;
  /** The verified probe report of a garden; null if it had none, or it is damaged. */
  readonly probes: (garden: string) => ProbeReport | null;
}
