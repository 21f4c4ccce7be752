import type { Mutant } from './mutants.ts';

/** Outcome of a mutant; `killed` names the test, or says that time ran out. */
export interface Judged {
  readonly mutant: Mutant;
  readonly killed: string | null;
  /** Whether any of the tests runs the place that was changed. */
  readonly reached: boolean;
}
