import type { AuditPageEntry } from '../../../compiler/schema/audit/page.ts';
import type { AuditRecord } from '../../../compiler/schema/audit/record.ts';
import type { Summing } from './summing.ts';

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

/** What a bundle in service has for some agents, from some moment on (§21.7). */
export interface Release {
  readonly documents: readonly ArchivedDocument[];
  /** Which version of each agent's documents is in force now: of an older bundle, once it is served again. */
  readonly inForce: readonly { readonly agent_id: string; readonly version: string }[];
  /** Ids of all agents that the bundle has: no version of any other is in force. Null if nothing is said of others. */
  readonly agents: readonly string[] | null;
  /** Milliseconds since 1970. */
  readonly at: number;
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
  /** Stretches of the audit that are being added up. */
  readonly reading: number;
  /** Those that were stopped because nobody waited for them any more, since the start. */
  readonly stopped: number;
}

/** The discovery audit (§21.5): rows are only ever added. */
export interface AuditLog {
  /** Resolves once the row outlives the process; rejects where it was lost. */
  readonly append: (record: AuditRecord) => Promise<void>;
  readonly isClosed: (token: string) => Promise<boolean>;
  /** A token that is closed already stays as it is; its recall may come later. */
  readonly close: (closing: ClosingRecord) => Promise<void>;
  /** The newest entries of one agent, newest first, with a `seq` below `before`. */
  readonly list: (agentId: string, limit: number, before: number) => Promise<readonly AuditPageEntry[]>;
  /**
   * What the store has, added up; what waits in the spool for a store that failed is not there, and `health` says how
   * many rows those are.
   */
  readonly days: Summing['days'];
  readonly sums: Summing['sums'];
  readonly answersAt: Summing['answersAt'];
  /** Keeps what is served from now on; documents that are kept already stay as they are. */
  readonly archive: (release: Release) => Promise<void>;
  readonly health: () => AuditHealth;
  /** Writes what waits, then ends. */
  readonly end: () => Promise<void>;
}
