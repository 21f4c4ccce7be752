import type { AuditedAnswer, AnswersFilter } from '../../../compiler/schema/audit/answered.ts';
import type { Checkpoint } from '../../../compiler/schema/audit/checkpoint.ts';
import type { AuditPageEntry } from '../../../compiler/schema/audit/page.ts';
import type { Release, SumsReader } from './log.ts';

/** The head of a writer's chain: position, from 1 on, and hash of its last entry. */
export interface ChainHead {
  readonly writer: string;
  readonly n: number;
  readonly hash: string;
}

/** `opening` is the first entry of every chain. */
type EntryType = 'opening' | 'recall' | 'closing' | 'capsule' | 'arrival';

/** An intent and the files of its request, with the salt of their digests; stored apart, so that it can be erased. */
interface IntentText {
  readonly salt: string;
  readonly text: string;
  /** JSON of the paths; null without any. */
  readonly files: string | null;
}

/** An entry to append; the store assigns its position in the writer's chain. */
export interface NewEntry {
  readonly type: EntryType;
  /** Unique for each type: of a recall and a closing by their token, of an opening its writer. */
  readonly id: string;
  /** Empty for an opening. */
  readonly agent_id: string;
  /** Empty for an opening, a call about capsules and an arrival. Unique among recalls. */
  readonly audit_token: string;
  /** Milliseconds since 1970. */
  readonly created_at: number;
  // a store keeps each of these texts once, and the chain covers them in every entry
  readonly asked_by: string | null;
  readonly bundle_revision: string | null;
  readonly request: string | null;
  /** Canonical JSON of the rest but the intent and its files; the chain covers it, and it is stored byte by byte. */
  readonly body: string;
  /** Null without an intent, or if intents are not stored. */
  readonly intent: IntentText | null;
}

/** An entry in a store. */
export interface StoredEntry extends NewEntry {
  readonly seq: number;
  readonly writer: string;
  readonly n: number;
  readonly hash: string;
  /** Whether a store with partitions has it in another than its own. */
  readonly isMisplaced?: boolean;
}

/** A checkpoint or a retirement with its DSSE envelope, UTF-8. */
export interface SignedPoint extends Omit<Checkpoint, 'kind'> {
  readonly envelope: string;
}

/** The stored form of an intent: its text, or only its digest. */
export type IntentMode = 'full' | 'digest';

export interface StoreOptions {
  /** Names this opening and its chain; unique. */
  readonly writer: string;
  /** Recorded in the first entry of the chain. */
  readonly intents: IntentMode;
  /** The URL of a read replica of the database, for lists and reports. */
  readonly replica?: string | undefined;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
}

/**
 * Up to `limit` recalls and heartbeats with a `seq` above `after`, ordered by `seq`; pass the last `seq` to get the
 * next page. Each page is a query of its own, so that none blocks others for long. The window is fixed at `after` 0.
 */
export type ReadAnswers = (filter: AnswersFilter, after: number, limit: number) => Promise<readonly AuditedAnswer[]>;

/**
 * The store of the audit, opened by one writer. No call waits long: a store that cannot accept something rejects, and
 * the caller may send it again.
 */
export interface AuditStore extends SumsReader {
  /**
   * Appends all entries in the given order, or none, in one transaction. Skips an entry if its type and id, or the
   * token of its recall, exist already. The first call adds the opening before them. Resolves once they survive the
   * process.
   *
   * @returns the head of this writer's chain
   */
  readonly append: (entries: readonly NewEntry[]) => Promise<ChainHead>;
  /**
   * Stores a checkpoint; the entry that it names has to exist with that hash. A second one at the same `n` is skipped.
   */
  readonly checkpoint: (point: SignedPoint) => Promise<void>;
  readonly isClosed: (token: string) => Promise<boolean>;
  readonly list: (agentId: string, limit: number, before: number) => Promise<readonly AuditPageEntry[]>;
  /** Atomic. Archived documents, and a version that is in force already, are not changed. */
  readonly archive: (release: Release) => Promise<void>;
  /** Whether it ended by itself and cannot be used again; absent if that cannot happen. */
  readonly hasEnded?: () => boolean;
  readonly end: () => Promise<void>;
}

/** Conditions of intents to erase: all given ones must be met. */
export interface ErasureFilter {
  readonly token?: string;
  readonly agent?: string;
  /** Milliseconds since 1970; entries that were created earlier. */
  readonly before?: number;
}

/**
 * The same store for maintenance with `vade audit`. Opened for reading, it is a consistent snapshot despite concurrent
 * writes.
 */
export interface AuditLedger extends SumsReader {
  /** All writers that an entry, a checkpoint or a retirement names, sorted. */
  readonly writers: () => Promise<readonly string[]>;
  /** Up to `limit` entries of a writer with `n` above `after`, by `n`, then by `seq`. */
  readonly entries: (writer: string, after: number, limit: number) => Promise<readonly StoredEntry[]>;
  readonly answers: ReadAnswers;
  readonly count: (writer: string) => Promise<number>;
  /** Whether there is an entry of this writer at `n` with this hash. */
  readonly has: (head: ChainHead) => Promise<boolean>;
  /** The latest `created_at` of a writer's entries above `after` and up to `n`; null without any. */
  readonly newest: (writer: string, after: number, n: number) => Promise<number | null>;
  /** By `n`. */
  readonly checkpoints: (writer: string) => Promise<readonly SignedPoint[]>;
  /** By `n`. */
  readonly retirements: (writer: string) => Promise<readonly SignedPoint[]>;
  /** Type and id of entries that exist more than once, which the store's constraints prevent. */
  readonly duplicates: () => Promise<readonly string[]>;
  /** Ids of intents without an entry. */
  readonly strayIntents: () => Promise<readonly string[]>;
  /** As in AuditStore. */
  readonly checkpoint: (point: SignedPoint) => Promise<void>;
  /**
   * Drops the entries of writers up to these points, with their intents, and stores the retirements instead. It is
   * refused without a checkpoint with that `n` and hash. SQLite takes a transaction for each point, so that other
   * writers do not wait long; PostgreSQL one for all, and drops whole months at once.
   *
   * @returns the number of dropped entries
   */
  readonly retire: (points: readonly SignedPoint[]) => Promise<number>;
  /** The number of intents that the filter matches. */
  readonly matching: (filter: ErasureFilter) => Promise<number>;
  /** Erases text, files and salt of the intents that the filter matches. @returns their number */
  readonly erase: (filter: ErasureFilter) => Promise<number>;
  readonly end: () => Promise<void>;
}
