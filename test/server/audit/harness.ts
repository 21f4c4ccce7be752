import { expect } from 'vitest';
import { signPoint } from '../../../server/audit/chain/checkpointer.ts';
import { envelopeVerifierOf, checkpointSignerOf } from '../../../server/audit/chain/keys.ts';
import {
  verifyLedger,
  type VerificationFailure,
  type VerifiedChains,
} from '../../../server/audit/chain/verify-chain.ts';
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
  /** Runs one statement as an ordinary user; rejects if the database refuses it. */
  readonly sql: (statement: string) => Promise<readonly Record<string, unknown>[]>;
  /** Runs statements with all triggers disabled, as the owner of the machine could. */
  readonly tamper: (statements: string) => Promise<void>;
}

const signer = newSigner();
export const sign = checkpointSignerOf(signer);
export const verifyEnvelope = envelopeVerifierOf(signer.publicPem);

export const options = (writer: string, intents: IntentMode = 'full'): StoreOptions => ({
  ...{ writer, intents },
  openedAt: START,
});

/** Opens a store for one writer, and closes it after `work`. */
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
    await store.checkpoint(signPoint('checkpoint', head, START, sign));
    return head;
  });
}

export function verified(place: Place): Promise<VerifiedChains> {
  return keeping(place, 'read', (ledger) => verifyLedger(ledger, verifyEnvelope));
}

/** The first problem of a place; null if it verifies. */
export async function verificationFailure(place: Place): Promise<VerificationFailure | null> {
  return (await verified(place)).failure;
}

/** Expects that the database refuses a statement, and changes nothing. */
export async function expectRefused(place: Place, statement: string): Promise<void> {
  const counted = 'SELECT COUNT(*) AS n FROM entries';
  const before = await place.sql(counted);
  await expect(place.sql(statement), statement).rejects.toThrow();
  expect(await place.sql(counted)).toEqual(before);
}
