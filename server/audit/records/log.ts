import type { TakenArrival } from '../../../compiler/schema/audit/arrival.ts';
import type { ContinuityCall } from '../../../compiler/schema/audit/continuity-call.ts';
import type { AuditPageEntry } from '../../../compiler/schema/audit/page.ts';
import type { AuditRecord } from '../../../compiler/schema/audit/record.ts';
import type { ArrivalSums, AuditDay, AuditSums, DaysQuery, SumsQuery } from '../../../compiler/schema/audit/sums.ts';

/** Closing of a recall by its agent (§21.5.2); times are milliseconds since 1970. */
export interface ClosingRecord {
  readonly audit_token: string;
  readonly agent_id: string;
  readonly used_chunks: readonly string[];
  readonly missed_chunks: readonly string[];
  readonly nothing_fits: boolean;
  readonly closed_at: number;
}

/** A manifest or a boot stub that was served (§21.7). */
export interface ArchivedDocument {
  readonly kind: 'manifest' | 'stub';
  readonly agent_id: string;
  /** The version of the manifest, also for its stubs. */
  readonly version: string;
  /** The URI of a manifest; the profile of a stub. */
  readonly name: string;
  readonly token_count: number;
  readonly body: string;
  readonly created_at: number;
}

/** The documents that a bundle in service has for some agents, from `at` on (§21.7). */
export interface Release {
  readonly documents: readonly ArchivedDocument[];
  /** The version of each agent's documents that is in force now; after a rollback it is an older one. */
  readonly inForce: readonly { readonly agent_id: string; readonly version: string }[];
  /** Ids of all agents of the bundle: for others no version is in force. Null leaves others unchanged. */
  readonly agents: readonly string[] | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The state of the audit, for operators. */
export interface AuditHealth {
  /** Whether the store accepted the last write. */
  readonly up: boolean;
  /** Acknowledged rows that wait on disk for the store. */
  readonly spooled: number;
  readonly spooled_bytes: number;
  /** Waiting time of the oldest of them, in milliseconds; 0 without any. */
  readonly lag_ms: number;
  /** Rows that neither the store nor the spool accepted, since the start. */
  readonly lost: number;
  /** Aggregations in progress. */
  readonly reading: number;
  /** Aggregations that were cancelled because the caller no longer waited, since the start. */
  readonly stopped: number;
}

/**
 * The discovery audit (§21.5): append-only. Its sums are those of the rows of the store. Rows in the spool of a store
 * that failed are not included; `health` says how many there are.
 */
export interface AuditLog extends SumsReader {
  /** Resolves once the row survives the process; rejects if it was lost. */
  readonly append: (record: AuditRecord) => Promise<void>;
  /** Likewise for a call about capsules. */
  readonly note: (call: ContinuityCall) => Promise<void>;
  /** Takes arrivals: resolves once the store has them; rejects if they have to be given again. */
  readonly take: (taken: readonly TakenArrival[]) => Promise<void>;
  readonly isClosed: (token: string) => Promise<boolean>;
  /** A closed token is not changed; its recall may arrive later. */
  readonly close: (closing: ClosingRecord) => Promise<void>;
  /** The newest entries of one agent, newest first, with a `seq` below `before`. */
  readonly list: (agentId: string, limit: number, before: number) => Promise<readonly AuditPageEntry[]>;
  /** Archives the served bundle from now on; archived documents are not changed. */
  readonly archive: (release: Release) => Promise<void>;
  readonly health: () => AuditHealth;
  /** Writes the waiting records, then closes. */
  readonly end: () => Promise<void>;
}

/** Aggregates in the database, so that the size of a result does not grow with the number of rows. */
export interface SumsReader {
  /**
   * Days with recalls or heartbeats, the newest first, from indexes only. Here and in `sums`: aborting `signal` stops
   * the query itself, and the promise is rejected once it has stopped.
   */
  readonly days: (query: DaysQuery, signal?: AbortSignal) => Promise<readonly AuditDay[]>;
  /** The sums of each agent with rows in the window. */
  readonly sums: (query: SumsQuery, signal?: AbortSignal) => Promise<readonly AuditSums[]>;
  /** The newest arrivals of some agents, those that are alike together; at most `ARRIVALS_SUMMED` groups. */
  readonly arrivals: (query: SumsQuery, signal?: AbortSignal) => Promise<readonly ArrivalSums[]>;
}
