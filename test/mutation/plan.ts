import { readFileSync } from 'node:fs';

/** Work of one process of tests, in the file that `VADE_MUTATION` names. */
export interface Plan {
  readonly root: string;
  /** Texts of sources with switches, by absolute path. */
  readonly sources: Readonly<Record<string, string>>;
  /** Test files, relative to the root. */
  readonly tests: readonly string[];
  /** The mutants to try one after the other; in `alone`, the one that is on from the start. */
  readonly ids: readonly number[];
  readonly alone: boolean;
  /** The last id of all, plus one. */
  readonly count: number;
  /** Where each answer is appended, a line of JSON. */
  readonly answers: string;
}

/** Report of a process of tests. */
export type Answer =
  /** The tests as they are: whether they pass when run again, and in what time; mutants that run when modules load. */
  | {
      readonly is: 'base';
      readonly passes: boolean;
      readonly ms: number;
      readonly hit: number[];
      readonly early: number[];
    }
  | { readonly is: 'start'; readonly id: number }
  | { readonly is: 'end'; readonly id: number; readonly killed: string | null }
  /** Killed, but the tests fail without the mutant too from then on: this process is of no more use. */
  | { readonly is: 'spoilt'; readonly id: number };

export const PLAN = 'VADE_MUTATION';

export function readPlan(): Plan {
  return JSON.parse(readFileSync(process.env[PLAN] ?? '', 'utf8')) as Plan;
}
