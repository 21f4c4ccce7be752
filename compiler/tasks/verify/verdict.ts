import type { VerifyReport } from '../schema/verify-report.ts';
import { isViolation } from './judge-pass.ts';

type Judged = Pick<VerifyReport, 'git' | 'guard' | 'passes'>;

/**
 * The verdict on two passes (agent substrate, step 6). An unexplained change of `.git`, or of the guard, blocks every
 * merge, whoever made it: work that would hold could not be judged then.
 */
export function verdictOf({ passes, git, guard }: Judged): Pick<VerifyReport, 'proposal' | 'verdict'> {
  const findings = passes.flatMap((it) => it.findings);
  if (findings.some(isViolation)) {
    return {
      verdict: 'violations',
      proposal: git.length + guard.length > 0 ? 'reject_and_rollback' : 'reject_and_respawn',
    };
  }
  const isOpen =
    git.length + guard.length > 0 || findings.some((it) => it.result === 'unknown' && it.severity === 'block');
  return isOpen ? { verdict: 'unjudged', proposal: null } : { verdict: 'holds', proposal: 'merge' };
}

/** The sandbox of the tests. */
export interface TestSandbox {
  readonly name: VerifyReport['sandbox'];
  /** Mounts that it left writable. */
  readonly left: readonly string[];
  /** Files that the tests could reach all the same. */
  readonly reached: readonly string[];
}

/** Facts that no check on this machine can see; part of every report. */
export function cannotKnow({ name, left, reached }: TestSandbox): string[] {
  if (name === 'none') return [...NEVER_KNOWN, UNCONFINED];
  const open = left.map(
    (it) => `The tests could write to ${it}, which cannot be mounted read-only: their changes there are not compared.`,
  );
  return [...NEVER_KNOWN, ...open, ...reached.map((it) => `The tests could reach ${it}.`)];
}

const UNCONFINED =
  'The tests ran without a sandbox and had all your permissions: what they did outside their folders is not known.';

const NEVER_KNOWN: readonly string[] = [
  'A push to an address that is no remote of the repository leaves no trace here; an agent without credentials cannot make one.',
  'Files outside of the worktree are not compared: the home, the index and the working tree of main, temporary folders. The gate reads plain commands alone: programs and scripts of an agent that was not confined may have changed them.',
  'The number of passed tests is the one that the test program printed.',
  'Gate and programs are compared at the spawn and now: a change that was undone in between is not seen.',
  'A change of .git that was undone before the agent returned is not seen.',
];

/** Whether a report is about an earlier main. */
export function isStale({ main }: VerifyReport, now: string): boolean {
  return main.commit !== now;
}
