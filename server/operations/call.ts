import type { AuditLog } from '../audit/records/log.ts';
import type { AuditTokens } from '../auth/audit-token.ts';
import type { Asking } from '../auth/authorize.ts';
import type { FindPreviousBundle } from '../rollout/previous-bundle.ts';

/** What is counted of answers, wherever the counters are. */
export interface Counting {
  /** A recall or a heartbeat that was answered. */
  readonly answered: (kind: 'recall' | 'heartbeat', answer: AnswerNotes) => void;
  /** A heartbeat that ended in an error (§21.1.5 S2). */
  readonly aborted: () => void;
  readonly closed: (closing: { readonly missed_chunks: readonly string[] }) => void;
}

interface AnswerNotes {
  readonly truncated?: boolean;
  readonly warnings: readonly string[];
}

/** Work that is being traced, wherever traces go. */
export interface WorkSpan {
  /** Work inside it, as a stretch of its own. */
  readonly within: <T>(name: string, work: (inner: WorkSpan) => Promise<T>) => Promise<T>;
}

/** Publishes a body for an agent on behalf of an administrator; handed in, for a server has no compiler. */
export type Publish = (agent: string, body: Buffer, admin: string) => Promise<object>;

/** What the operations work with; clock, ids and secrets come from the edge. */
export interface Services {
  readonly audit: AuditLog;
  readonly tokens: AuditTokens;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly onAuditFailure: (error: unknown) => void;
  readonly previousBundle: FindPreviousBundle;
  /** Null where publishing is merging, and nothing else. */
  readonly publish: Publish | null;
  readonly count: Counting;
}

/**
 * One call of an operation, through whatever door it came: who calls, about which agent, and the edition that it is
 * answered from, from its beginning to its end (DESIGN §8).
 */
export interface Call extends Asking {
  readonly services: Services;
  /** Null where no traces are kept. */
  readonly span: WorkSpan | null;
  /** Aborted once nobody waits for the answer any more; made for those operations alone that ask for it. */
  readonly givenUp: () => AbortSignal;
  /** Tells what is still done for it to stop. */
  readonly giveUp: () => void;
}
