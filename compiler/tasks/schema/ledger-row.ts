import { z } from 'zod';
import { AtomName } from '../../schema/capability/atom-name.ts';
import { Digest, Instant, oneLine } from '../../schema/primitives.ts';
import { GitChange } from './git-state.ts';
import { AgentId, ObjectId, RealPath, TaskId } from './ids.ts';

/** The payload type of the DSSE envelope that seals a row. */
export const ROW_TYPE = 'application/vnd.vademecum.ledger-row+json';

/** The longest document of a row. */
const MAX_DOCUMENT = 16 * 1024 * 1024;

/** A document as text, with the sha256 of its UTF-8 bytes. */
const Document = z.strictObject({ digest: Digest, text: z.string().max(MAX_DOCUMENT) });

const shared = { format: z.literal(1), agent_id: AgentId, at: Instant };

const reason = oneLine(500).min(1);

/** An agent was started. */
export const SpawnRow = z.strictObject({
  ...shared,
  kind: z.literal('spawn'),
  task: TaskId,
  parent: AgentId.nullable(),
  worktree: RealPath,
  base: ObjectId,
  /** The plan's envelope. */
  plan: Document,
  /** The bytes of `task.toml` are `specs/<digest>.toml`. */
  spec: Digest,
  /** References, configuration and hooks of `.git` before the agent ran, as canonical JSON. */
  git_state: Document,
});

/** A check of an atom does not count for an agent, though it failed. */
const BypassRow = z.strictObject({ ...shared, kind: z.literal('bypass'), atom: AtomName, reason });

/** An agent may do nothing more; or, with an atom, its bypass ends. */
const RevocationRow = z.strictObject({
  ...shared,
  kind: z.literal('revocation'),
  atom: AtomName.nullable(),
  reason,
});

/** The work of an agent was judged. */
const VerifyRow = z.strictObject({
  ...shared,
  kind: z.literal('verify'),
  plan_digest: Digest,
  verdict: z.enum(['holds', 'violations', 'unjudged']),
  /** The report, as canonical JSON. */
  report: Document,
});

/** The worktree and the binding of an agent were removed. */
const CleanRow = z.strictObject({
  ...shared,
  kind: z.literal('clean'),
  worktree: RealPath,
  /** Whether work that no branch has went with it. */
  discarded: z.boolean(),
});

/** A person has looked at changes of `.git` that held an agent's merge, and says why they are right. */
const ExplanationRow = z.strictObject({
  ...shared,
  kind: z.literal('explanation'),
  changes: z.array(GitChange).min(1).max(10_000),
  reason,
});

/** Events of an agent. Rows are only added. */
export const LedgerRow = z.discriminatedUnion('kind', [
  SpawnRow,
  BypassRow,
  RevocationRow,
  VerifyRow,
  CleanRow,
  ExplanationRow,
]);

/** A row as the ledger holds it. */
export interface LedgerEntry {
  readonly seq: number;
  readonly row: LedgerRow;
  /** A DSSE envelope over the row; null if it is unsealed. It means nothing until it is verified. */
  readonly seal: Buffer | null;
}

export type LedgerRow = z.infer<typeof LedgerRow>;
export type SpawnRow = z.infer<typeof SpawnRow>;
