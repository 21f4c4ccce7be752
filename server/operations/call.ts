import type { Closing } from '../../compiler/schema/audit/record.ts';
import type { ErrorCode, WARNINGS } from '../../compiler/schema/errors.ts';
import type { AuditLog } from '../audit/records/log.ts';
import type { AuditTokens } from '../auth/audit-token.ts';
import type { CallContext } from '../auth/authorize.ts';
import type { Continuity } from '../continuity/continuity.ts';
import type { FindPreviousBundle } from '../rollout/previous-bundle.ts';

/** Counters of answers; the telemetry behind them is a port. */
export interface Counting {
  /** Counts an answered recall or heartbeat. */
  readonly answered: (kind: 'recall' | 'heartbeat', answer: AnswerNotes) => void;
  /** Counts a heartbeat that ended in an error (§21.1.5 S2). */
  readonly aborted: () => void;
  readonly closed: (closing: Pick<Closing, 'missed_chunks' | 'nothing_fits'>) => void;
  /** Counts a call of a known caller about a store, by the id of its operation and why it was refused. */
  readonly storeCall: (operation: string, refusal: ErrorCode | null) => void;
  /** Counts a warning that no answer carries. */
  readonly warned: (warning: (typeof WARNINGS)[number]) => void;
}

interface AnswerNotes {
  readonly truncated?: boolean;
  readonly warnings: readonly string[];
}

/** A span of a trace; the tracing behind it is a port. */
export interface WorkSpan {
  /** Runs work in a child span. */
  readonly within: <T>(name: string, work: (inner: WorkSpan) => Promise<T>) => Promise<T>;
}

/** Publishes a body for an agent on behalf of an administrator; injected, because the server has no compiler. */
export type Publish = (agent: string, body: Buffer, admin: string) => Promise<object>;

/** Brief to print: of a unit alone, or one of several parts. */
export interface BriefRequest {
  readonly kind: 'phrases' | 'probes';
  readonly agent: string;
  readonly unit: string | undefined;
  readonly part: number;
}

/** Prints a brief of the working tree as Markdown; injected as well. */
export type PrintBrief = (of: BriefRequest) => Promise<string>;

/** Dependencies of the operations; the caller injects clock, ids and secrets. */
export interface Services {
  readonly audit: AuditLog;
  readonly tokens: AuditTokens;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly onAuditFailure: (error: unknown) => void;
  readonly previousBundle: FindPreviousBundle;
  /** Null if manifests are published only by merging. */
  readonly publish: Publish | null;
  readonly count: Counting;
  /** The capsules of agents; null without `--continuity`. */
  readonly continuity: Continuity | null;
}

/**
 * One call of an operation, over any transport: the caller, the agent, and the snapshot that answers it from start to
 * end (DESIGN §8).
 */
export interface Call extends CallContext {
  readonly services: Services;
  /** Null without tracing. */
  readonly span: WorkSpan | null;
  /** Aborted once the caller no longer waits; created only if an operation asks for it. */
  readonly cancellation: () => AbortSignal;
  /** Stops the work still running for this call. */
  readonly cancel: () => void;
}
