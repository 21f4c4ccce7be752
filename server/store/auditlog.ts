import type { RecallRecord } from '../../compiler/model/audit.ts';

/** A record as it is read back: with what the agent said of it, once it did. */
export interface AuditEntry {
  /** Place in the log; a page ends where the next one begins. */
  readonly seq: number;
  readonly id: string;
  readonly agent_id: string;
  readonly heartbeat_id: string;
  readonly session_start: number;
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

/** The discovery audit (§21.5): rows are only ever added. */
export interface AuditLog {
  /** Written before the answer leaves; throws where it cannot be. */
  readonly append: (record: RecallRecord) => void;
  readonly isClosed: (token: string) => boolean;
  /** A token that is closed already stays as it is. */
  readonly close: (closing: ClosingRecord) => void;
  /** The newest entries of one agent, newest first, with a `seq` below `before`. */
  readonly list: (agentId: string, limit: number, before: number) => readonly AuditEntry[];
  readonly end: () => void;
}
