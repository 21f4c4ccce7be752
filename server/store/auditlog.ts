import type { Answered, AnswersFilter } from '../../compiler/model/answered.ts';
import type { AuditRecord } from '../../compiler/model/audit.ts';

/** A record as it is read back: with what the agent said of it, once it did. */
export interface AuditEntry {
  /** Place in the log; a page ends where the next one begins. */
  readonly seq: number;
  readonly id: string;
  readonly kind: string;
  readonly agent_id: string;
  readonly heartbeat_id: string;
  readonly session_start: number;
  /** Empty where it was erased, or was never kept. */
  readonly intent: string;
  readonly loaded_chunks: unknown;
  readonly used_chunks: unknown;
  readonly missed_chunks: unknown;
  readonly audit_token: string;
  readonly audit_closed: number | null;
  readonly created_at: number;
}

/** How an agent closes one of its recalls (§21.5.2); times are milliseconds since 1970. */
export interface ClosingRecord {
  readonly audit_token: string;
  readonly agent_id: string;
  readonly used_chunks: readonly string[];
  readonly missed_chunks: readonly string[];
  readonly closed_at: number;
}

/** A manifest or a boot stub as it was served from some moment on (§21.7). */
export interface ArchivedDocument {
  readonly kind: 'manifest' | 'stub';
  readonly agent_id: string;
  /** The manifest's version; a stub has that of its manifest. */
  readonly version: string;
  /** The manifest's URI; the stub's profile. */
  readonly name: string;
  readonly token_count: number;
  readonly body: string;
  readonly created_at: number;
}

/** What an operator watches of the audit. */
export interface AuditHealth {
  /** Whether the store took what it was last given. */
  readonly up: boolean;
  /** Rows that were acknowledged and wait on disk for the store. */
  readonly spooled: number;
  readonly spooled_bytes: number;
  /** Milliseconds for which the oldest of them has waited; 0 where none does. */
  readonly lag_ms: number;
  /** Rows that neither the store nor the spool could take, since the start. */
  readonly lost: number;
}

/** The discovery audit (§21.5): rows are only ever added. */
export interface AuditLog {
  /** Resolves once the row outlives the process; rejects where it was lost. */
  readonly append: (record: AuditRecord) => Promise<void>;
  readonly isClosed: (token: string) => Promise<boolean>;
  /** A token that is closed already stays as it is; its recall may come later. */
  readonly close: (closing: ClosingRecord) => Promise<void>;
  /** The newest entries of one agent, newest first, with a `seq` below `before`. */
  readonly list: (agentId: string, limit: number, before: number) => Promise<readonly AuditEntry[]>;
  /**
   * A page of what the store has, by `seq` above `after`, at most `limit`; what waits in the spool for a store that
   * failed is not there, and `health` says how many rows those are.
   */
  readonly answers: (filter: AnswersFilter, after: number, limit: number) => Promise<readonly Answered[]>;
  /** Keeps what is served from now on; what is kept already stays as it is. */
  readonly archive: (documents: readonly ArchivedDocument[]) => Promise<void>;
  readonly health: () => AuditHealth;
  /** Writes what waits, then ends. */
  readonly end: () => Promise<void>;
}
