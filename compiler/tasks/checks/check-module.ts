import type { GivenValues } from '../../schema/capability/parameters.ts';
import type { GitChange } from '../schema/git-state.ts';
import type { PlannedCheck } from '../schema/plan.ts';
import type { FileChange } from '../schema/snapshot.ts';
import type { CommandEnd, CommandLine } from './command.ts';

/** The two trees that an agent's work is judged in (agent substrate, Verify execution). */
export type Pass = 'worktree' | 'simulated-merge';

/** The work that a check may look at. Files are those of the pass's tree, never of the agent's worktree. */
export interface Work {
  readonly pass: Pass;
  readonly agent_id: string;
  readonly task: string;
  /** The agent's changes: from the base to its snapshot, or from main to the merge of both. */
  readonly changes: readonly FileChange[];
  /** Every file of the tree. */
  readonly files: () => Promise<readonly string[]>;
  /** The bytes of a file; null if there is none, or it is too large. */
  readonly read: (path: string) => Promise<Buffer | null>;
  /** The same before the change. */
  readonly readBefore: (path: string) => Promise<Buffer | null>;
  /** Runs a command in a checkout of the tree. */
  readonly run: (command: CommandLine) => Promise<CommandEnd>;
  /** The agent's report; null if it gave none. */
  readonly report: string | null;
  /** Changes in `.git` that no row of the ledger explains. */
  readonly git: {
    /** In the part that belongs to the agent's own worktree. */
    readonly own: readonly GitChange[];
    /** In the part that all share: nobody can tell who made them. */
    readonly shared: readonly GitChange[];
  };
}

/** The work of a pass: the same for every check but for the place of its commands. */
export interface PassWork extends Omit<Work, 'run'> {
  /**
   * Commands in a checkout, a home and a temporary folder of their own: another check's commands left nothing there.
   */
  readonly commands: () => Work['run'];
}

/** The result of one check. */
export interface Judgement {
  /** `unknown`: it could not be judged. */
  readonly result: 'pass' | 'fail' | 'unknown' | 'not_applicable';
  readonly reason: string;
  readonly detail: string | null;
}

export const PASS: Judgement = { result: 'pass', reason: '', detail: null };

export function notApplicable(reason: string): Judgement {
  return { result: 'not_applicable', reason, detail: null };
}

export function fail(reason: string, detail: string | null = null): Judgement {
  return { result: 'fail', reason, detail };
}

export function unknown(reason: string, detail: string | null = null): Judgement {
  return { result: 'unknown', reason, detail };
}

/** Fails with the first paths of a list; holds if there is none. */
export function failFor(paths: readonly string[], reason: string): Judgement {
  const MOST = 50;
  const more = paths.length > MOST ? [`and ${paths.length - MOST} more`] : [];
  return paths.length === 0 ? PASS : fail(reason, [...paths.slice(0, MOST), ...more].join('\n'));
}

/** Judges one atom in one pass. @throws if its parameters are unusable: it could not be judged then */
export type CheckModule = (work: Work, check: PlannedCheck, task: GivenValues) => Judgement | Promise<Judgement>;
