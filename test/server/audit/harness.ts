import { expect } from 'vitest';
import { signed } from '../../../server/audit/chain/checkpointer.ts';
import { proverOf, checkpointSignerOf } from '../../../server/audit/chain/keys.ts';
import { verifyLedger, type AuditFault, type Verified } from '../../../server/audit/chain/verify-chain.ts';
import { recallEntry } from '../../../server/audit/records/entry.ts';
import type {
  AuditLedger,
  AuditStore,
  ChainHead,
  IntentMode,
  StoreOptions,
} from '../../../server/audit/records/store.ts';
import { newSigner } from '../../support/staff.ts';
import { record, START } from './records.ts';

/** One place for an audit, empty at first: an SQLite file, a PostgreSQL database. */
export interface Place {
  readonly open: (options: StoreOptions) => Promise<AuditStore>;
  readonly ledger: (mode: 'read' | 'write') => Promise<AuditLedger>;
  /** Runs one statement as anybody may who can connect; rejects where the database refuses it. */
  readonly sql: (statement: string) => Promise<readonly Record<string, unknown>[]>;
  /** Runs statements with every rule of the database out of force, as whoever owns the machine could. */
  readonly tamper: (statements: string) => Promise<void>;
}

const signer = newSigner();
export const seal = checkpointSignerOf(signer);
export const prove = proverOf(signer.publicPem);

export const options = (writer: string, intents: IntentMode = 'full'): StoreOptions => ({
  ...{ writer, intents },
  openedAt: START,
});

/** Opens a place for one writer, calls, and ends it. */
export async function writing<T>(place: Place, writer: string, work: (store: AuditStore) => Promise<T>): Promise<T> {
  const store = await place.open(options(writer));
  try {
    return await work(store);
  } finally {
    await store.end();
  }
}

/** The same for a ledger. */
export async function keeping<T>(
  place: Place,
  mode: 'read' | 'write',
  work: (ledger: AuditLedger) => Promise<T>,
): Promise<T> {
  const ledger = await place.ledger(mode);
  try {
    return await work(ledger);
  } finally {
    await ledger.end();
  }
}

/** Writes recalls `from` to `to` as one writer, and signs the end of its chain. */
export function written(place: Place, writer: string, from: number, to: number): Promise<ChainHead> {
  return writing(place, writer, async (store) => {
    const records = Array.from({ length: to - from + 1 }, (_, i) => record(from + i));
    const head = await store.append(records.map((it) => recallEntry(it, 'full')));
    await store.checkpoint(signed('checkpoint', head, START, seal));
    return head;
  });
}

export function verified(place: Place): Promise<Verified> {
  return keeping(place, 'read', (ledger) => verifyLedger(ledger, prove));
}

/** What is wrong with a place; null where nothing is. */
export async function faultOf(place: Place): Promise<AuditFault | null> {
  return (await verified(place)).fault;
}

/** A database's own no. */
export async function expectRefused(place: Place, statement: string): Promise<void> {
  const counted = 'SELECT COUNT(*) AS n FROM entries';
  const before = await place.sql(counted);
  await expect(place.sql(statement), statement).rejects.toThrow();
  expect(await place.sql(counted)).toEqual(before);
}
