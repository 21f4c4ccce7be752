import { z } from 'zod';
import { Escalation, RunMode, Severity } from '../../schema/capability/tools.ts';
import { Digest, Instant } from '../../schema/primitives.ts';
import { GitChange } from './git-state.ts';
import { AgentId, ObjectId, TaskId } from './ids.ts';

/** Longer reports of agents are not read. */
export const MAX_AGENT_REPORT = 262_144;

/** The finding of one check in one pass. */
export const CheckFinding = z.strictObject({
  /** The atom; `snapshot`, `obeyed` or `merge` for findings of no atom. */
  check: z.string(),
  severity: Severity,
  /** `unknown`: it could not be judged. `bypassed`: a row of the ledger says that it does not count. */
  result: z.enum(['pass', 'fail', 'unknown', 'not_applicable', 'bypassed']),
  reason: z.string(),
  detail: z.string().nullable(),
});

const PassName = z.enum(['worktree', 'simulated-merge']);

/** Facts that a person should look at, though they block no merge. */
export const NOTICES = {
  new_in_git: 'a name in .git that neither git nor vade knows, and that was not there before',
  not_searched: 'a worktree with so many files that not all of them were searched for setuid, setgid and capabilities',
  privileged:
    'a file with setuid, setgid or capabilities: they were removed, unless it has a second name outside of the worktree',
  second_name: 'a file with a second name, which may lie outside of the worktree (a hard link)',
} as const;

const VERDICTS = ['holds', 'violations', 'unjudged'] as const;
export const PROPOSALS = ['merge', 'reject_and_respawn', 'reject_and_rollback'] as const;

/**
 * How the work of one agent was judged (agent substrate, Verify execution). It names commits and trees, so that it can
 * be replayed; it is stale when main has moved.
 */
export const VerifyReport = z.strictObject({
  format: z.literal(1),
  agent_id: AgentId,
  task: z.strictObject({ id: TaskId, digest: Digest }),
  role: z.strictObject({ name: z.string(), digest: Digest }),
  /** Of the plan's envelope. */
  plan_digest: Digest,
  /** Null: each check as planned. */
  run_mode: RunMode.nullable(),
  main: z.strictObject({ ref: z.string(), commit: ObjectId }),
  base: ObjectId,
  snapshot: z.strictObject({
    tree: ObjectId,
    /** On top of the base. It is kept in the repository if the work holds. */
    commit: ObjectId,
    changes: z.int(),
    /** Pipes, sockets and devices, which no commit can hold. */
    left_out: z.array(z.string()),
  }),
  /** Null if it was not reached; the tree is null if there are conflicts. */
  merge: z.strictObject({ tree: ObjectId.nullable(), conflicts: z.array(z.string()) }).nullable(),
  /** A first pass with violations is the last one. The tree is null if main and the snapshot cannot be merged. */
  passes: z.array(z.strictObject({ pass: PassName, tree: ObjectId.nullable(), findings: z.array(CheckFinding) })),
  /** Changes in `.git` that no row of the ledger explains. Any such change blocks every merge. */
  git: z.array(GitChange.extend({ when: z.enum(['agent', 'checks']), own: z.boolean() })),
  /**
   * Changes since the spawn in everything that stops the agent or judges it: hooks, gate, programs. They block every
   * merge too.
   */
  guard: z.array(GitChange),
  /** The first thousand of each. */
  noticed: z.array(z.strictObject({ what: z.enum(Object.keys(NOTICES) as [keyof typeof NOTICES]), path: z.string() })),
  verdict: z.enum(VERDICTS),
  /** Null if it could not be judged. */
  proposal: z.enum(PROPOSALS).nullable(),
  escalation: Escalation,
  sandbox: z.enum(['bwrap', 'unshare', 'none']),
  agent_report: z.string().max(MAX_AGENT_REPORT).nullable(),
  /** Facts that no check can see. */
  cannot_know: z.array(z.string()),
  at: Instant,
});

export type CheckFinding = z.infer<typeof CheckFinding>;
export type VerifyReport = z.infer<typeof VerifyReport>;
