import type { AuditedAnswer, AnswersFilter } from '../../../compiler/schema/audit/answered.ts';
import type { Checkpoint } from '../../../compiler/schema/audit/checkpoint.ts';
import type { AuditPageEntry } from '../../../compiler/schema/audit/page.ts';
import type { Release } from './log.ts';
import type { Summing } from './summing.ts';

/** The end of one writer's chain: its last entry's place, from 1 on, and hash. */
export interface ChainHead {
  readonly writer: string;
  readonly n: number;
  readonly hash: string;
}

/** What an entry is: `opening` is the first of every chain. */
type EntryType = 'opening' | 'recall' | 'closing';

/** An intent with the salt of its digest; kept apart from its entry, so that it can be erased. */
interface IntentText {
  readonly salt: string;
  readonly text: string;
}

/** One entry as it goes to a store, which gives it its place in the writer's chain. */
export interface NewEntry {
  readonly type: EntryType;
  /** The record's id; a closing has its audit token, an opening its writer. One entry exists for each type and id. */
  readonly id: string;
  /** Empty for an opening. */
  readonly agent_id: string;
  /** Empty for an opening. No two recalls have the same. */
  readonly audit_token: string;
  /** Milliseconds since 1970. */
  readonly created_at: number;
  /** Canonical JSON of everything but the intent: what the chain covers, kept to the byte. */
  readonly body: string;
  /** Null where there is none, or none is kept. */
  readonly intent: IntentText | null;
}

/** One entry as a store keeps it. */
export interface StoredEntry extends NewEntry {
  readonly seq: number;
  readonly writer: string;
  readonly n: number;
  readonly hash: string;
}

/** A checkpoint or a retirement with its DSSE envelope, UTF-8. */
export interface SignedPoint extends Omit<Checkpoint, 'kind'> {
  readonly envelope: string;
}

/** How much of an intent is kept: its text, or nothing but its digest. */
export type IntentMode = 'full' | 'digest';

export interface StoreOptions {
  /** Names this opening, and its chain; no two openings share one. */
  readonly writer: string;
  /** Written in the chain's first entry. */
  readonly intents: IntentMode;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
}

/**
 * Up to `limit` recalls and heartbeats with a `seq` above `after`, by `seq`: read on with the last one's. Each page is
 * read by itself, so that none holds others up for long; a reading is of what was there when it began, at `after` 0.
 */
export type ReadAnswers = (filter: AnswersFilter, after: number, limit: number) => Promise<readonly AuditedAnswer[]>;

/**
 * Where the audit is kept, opened by one writer. Nothing here waits for long: a store that cannot take something
 * rejects, and what it rejected may be given again.
 */
export interface AuditStore {
  /**
   * All in the given order, or none, in one transaction; an entry is skipped whose type and id, or whose recall's
   * token, is there already. The first call puts the opening before them. Resolves once they outlive the process.
   *
   * @returns the end of this writer's chain
   */
  readonly append: (entries: readonly NewEntry[]) => Promise<ChainHead>;
  /** Keeps a checkpoint; the entry that it names exists with that very hash. A second one at the same `n` is skipped. */
  readonly checkpoint: (point: SignedPoint) => Promise<void>;
  readonly isClosed: (token: string) => Promise<boolean>;
  readonly list: (agentId: string, limit: number, before: number) => Promise<readonly AuditPageEntry[]>;
  readonly days: Summing['days'];
  readonly sums: Summing['sums'];
  readonly answersAt: Summing['answersAt'];
  /** All of it, or nothing. Documents that are kept already stay as they are, and so does a version that is in force. */
  readonly archive: (release: Release) => Promise<void>;
  /** Whether it ended by itself, and will never take anything again; absent where that cannot be. */
  readonly hasEnded?: () => boolean;
  readonly end: () => Promise<void>;
}

/** Which intents to erase; every given condition holds. */
export interface ErasureFilter {
  readonly token?: string;
  readonly agent?: string;
  /** Milliseconds since 1970; entries that were created earlier. */
  readonly before?: number;
}

/**
 * The same place for those who look after it: `vade audit`. Opened to read, it shows one moment whatever is written
 * meanwhile.
 */
export interface AuditLedger {
  /** Every writer that an entry, a checkpoint or a retirement names, sorted. */
  readonly writers: () => Promise<readonly string[]>;
  /** Up to `limit` entries of a writer with `n` above `after`, by `n`, then by `seq`. */
  readonly entries: (writer: string, after: number, limit: number) => Promise<readonly StoredEntry[]>;
  readonly answers: ReadAnswers;
  readonly days: Summing['days'];
  readonly sums: Summing['sums'];
  readonly answersAt: Summing['answersAt'];
  readonly count: (writer: string) => Promise<number>;
  /** Whether there is an entry of this writer at `n` with this hash. */
  readonly has: (head: ChainHead) => Promise<boolean>;
  /** The latest `created_at` of a writer's entries above `after` and up to `n`; null where there are none. */
  readonly newest: (writer: string, after: number, n: number) => Promise<number | null>;
  /** By `n`. */
  readonly checkpoints: (writer: string) => Promise<readonly SignedPoint[]>;
  /** By `n`. */
  readonly retirements: (writer: string) => Promise<readonly SignedPoint[]>;
  /** Type and id of entries that are there more than once; a store's own rules prevent that. */
  readonly duplicates: () => Promise<readonly string[]>;
  /** Ids of intents that no entry has. */
  readonly strayIntents: () => Promise<readonly string[]>;
  /** As the store's. */
  readonly checkpoint: (point: SignedPoint) => Promise<void>;
  /**
   * Drops a writer's entries up to `n`, with their intents, and keeps the retirement in their place, in one
   * transaction. A checkpoint with that `n` and hash exists, else it is refused.
   *
   * @returns how many entries went
   */
  readonly retire: (point: SignedPoint) => Promise<number>;
  /** How many intents are there that the filter names. */
  readonly matching: (filter: ErasureFilter) => Promise<number>;
  /** Erases text and salt of the intents that the filter names. @returns how many */
  readonly erase: (filter: ErasureFilter) => Promise<number>;
  readonly end: () => Promise<void>;
}
