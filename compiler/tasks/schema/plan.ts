import { z } from 'zod';
import { AtomName, RoleName } from '../../schema/capability/atom-name.ts';
import { GivenValues } from '../../schema/capability/parameters.ts';
import { CheckTime, Escalation, RunMode, Severity } from '../../schema/capability/tools.ts';
import { Digest, Instant } from '../../schema/primitives.ts';
import { AgentId, ObjectId, RealPath, TaskId } from './ids.ts';

/** The payload type of the DSSE envelope that a plan lies in. */
export const PLAN_TYPE = 'application/vnd.vademecum.plan+json';

/** One check of the plan; `parameters` are the names that it reads of the task's. */
export const PlannedCheck = z.strictObject({
  atom: AtomName,
  module: z.string(),
  /** That of the atom's gate; `block` if it has none. */
  severity: Severity,
  run_mode: RunMode,
  when: CheckTime,
  parameters: z.array(z.string()),
  /** For files, as globs. */
  paths: z.array(z.string()),
});

/**
 * The task, role and rules under which one agent was started: sealed by the orchestrator, read by the check after its
 * return.
 */
export const Plan = z.strictObject({
  format: z.literal(1),
  /** The digest is of the bytes of `task.toml`. */
  task: z.strictObject({ id: TaskId, digest: Digest }),
  role: z.strictObject({ name: RoleName, digest: Digest }),
  bundle: z.strictObject({ revision: z.string().max(256), root_digest: Digest }),
  agent_id: AgentId,
  /** The agent that asked for it; null if the orchestrator did. */
  parent: AgentId.nullable(),
  /** Roles that it may start. */
  spawns: z.array(RoleName).max(64),
  worktree: RealPath,
  /** The commit that the worktree began with. */
  base: ObjectId,
  escalation: Escalation,
  parameters: GivenValues,
  checks: z.array(PlannedCheck),
  /** Files that the user's programs run or obey, and that the role names all the same, as globs. */
  obeyed_allowed: z.array(z.string()),
  /**
   * The digests, by name, of everything that stops the agent or judges it: hooks, their switches, the gate, programs.
   */
  guard: z.record(z.string().max(4200), z.string().max(9000)),
  /** Atoms whose bypass the role keeps: two administrators approved that. */
  bypasses: z.array(AtomName),
  /** In the order of the prompt. */
  fragments: z.array(z.strictObject({ atom: AtomName, digest: Digest })),
  /** Of the bytes of `prompt.md`. */
  prompt: Digest,
  created_at: Instant,
});

export type PlannedCheck = z.infer<typeof PlannedCheck>;
export type Plan = z.infer<typeof Plan>;
