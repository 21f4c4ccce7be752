import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { newUlid } from '../ids.ts';
import { repetitions } from '../log.ts';
import { anchorLedger, anchorPath, missingFrom, openAnchor, readAnchor, type Anchor } from './chain/anchor.ts';
import type { SignCheckpoint } from './chain/checkpointer.ts';
import { auditKeys, checkpointSigner, proverOf, readKept, checkpointSignerOf } from './chain/keys.ts';
import { signTails } from './chain/retention.ts';
import { isPostgresUrl, shownUrl } from './postgres/url.ts';
import { openJournal } from './queue/journal.ts';
import { openSpool } from './queue/spool.ts';
import type { AuditLog } from './records/log.ts';
import { reopening, Unreachable } from './records/reopening.ts';
import type { AuditLedger, AuditStore, IntentMode, StoreOptions } from './records/store.ts';
import { openSqliteLedger } from './sqlite/ledger.ts';
import { openSqliteStore } from './sqlite/store.ts';

export interface AuditOptions {
  /** An SQLite file, or the URL of a PostgreSQL database. */
  readonly audit: string;
  /** What the names of the files beside it begin with: spool, keys. Default: the SQLite file. */
  readonly state?: string;
  /** Default: full. */
  readonly intents?: IntentMode;
  /** What may wait on disk while the store is down, in bytes. */
  readonly spoolBytes?: number;
  /** `VADE_CHECKPOINT_KEY`; without it a key is kept beside the audit. */
  readonly checkpointKey?: string | undefined;
  readonly now: () => number;
}

const SPOOL_BYTES = 64 * 1024 * 1024;

/** Where files lie that belong to an audit. @throws argument_invalid for a database without a place for them */
export function stateOf({ audit, state }: Pick<AuditOptions, 'audit' | 'state'>): string {
  if (state !== undefined) return state;
  if (isPostgresUrl(audit)) throw new VadeError('argument_invalid', 'an audit in PostgreSQL needs a --state');
  return audit;
}

/**
 * The keys that audit tokens are made with (`VADE_AUDIT_KEY`); instances that share a database have to share them.
 *
 * @throws argument_invalid
 */
export function tokenKeys(options: AuditOptions & { readonly auditKey: string | undefined }) {
  const { audit, auditKey = '' } = options;
  if (isPostgresUrl(audit) && auditKey === '') {
    const message = 'instances that share an audit share VADE_AUDIT_KEY: what one issues, another has to judge';
    throw new VadeError('argument_invalid', message);
  }
  return auditKeys(auditKey, stateOf(options));
}

/** Tells of rows that were lost, the same cause once a minute. */
export function auditFailures(log: Logger): (error: unknown) => void {
  const told = repetitions();
  return (error) => {
    const times = told(messageOf(error));
    if (times !== null) log.error({ reason: messageOf(error), times }, 'audit_write_failed');
  };
}

/**
 * Opens the audit, and signs what writers left unsigned that were killed.
 *
 * @throws output_failed where the spool cannot be opened, or the store could not ever; signing_key_required,
 *   argument_invalid
 */
export async function openAudit(options: AuditOptions, log: Logger): Promise<AuditLog> {
  const { audit, intents = 'full', now } = options;
  const state = stateOf(options);
  const writer = `w_${newUlid(now())}`;
  const seal = checkpointSignerOf(checkpointSigner(options.checkpointKey, state));
  const folder = `${state}.spool`;
  const opening: StoreOptions = { writer, intents, openedAt: now() };
  const open = () => opened(audit, () => openStore(audit, opening));
  const first = await reached(open, existsSync(folder), log);
  const anchor = openAnchor(state);
  const store = anchored(reopening(first, open), anchor);
  const spooled = { folder, writer, maxBytes: options.spoolBytes ?? SPOOL_BYTES, now };
  const spool = await opened(folder, () => openSpool(spooled)).catch(async (error: unknown) => {
    await store.end();
    throw error;
  });
  if (spool.rows() > 0) log.warn({ spooled: spool.rows() }, 'audit rows were left in the spool; they are stored now');
  await signLeft({ audit, state, writer, anchor, log }, seal, now());
  return openJournal({
    store,
    spool,
    intents,
    seal,
    now,
    isUp: first !== null,
    isSpooledFirst: !isPostgresUrl(audit),
    onChange: (up, error) => {
      if (up) log.info({ torn: spool.torn() }, 'the audit store takes rows again');
      else log.error({ reason: messageOf(error) }, 'the audit store takes no rows; they wait in the spool');
    },
    onDelay: (what, error) => {
      log.warn({ reason: messageOf(error) }, `an audit ${what} was not kept yet`);
    },
  });
}

/**
 * What `open` makes; null for a database that is not there now, but was for this instance before: a restart in the middle
 * of an outage serves as well as a server that was running. At the very first a wrong address must not pass for one.
 */
async function reached(open: () => Promise<AuditStore>, wasThere: boolean, log: Logger): Promise<AuditStore | null> {
  try {
    return await open();
  } catch (error) {
    if (!wasThere || !(error instanceof Unreachable)) throw error;
    log.error({ reason: messageOf(error) }, 'the audit store cannot be reached; rows wait in the spool');
    return null;
  }
}

async function openStore(audit: string, options: StoreOptions): Promise<AuditStore> {
  if (!isPostgresUrl(audit)) return openSqliteStore(audit, options);
  const { openPostgresStore } = await import('./postgres/store.ts');
  return openPostgresStore(audit, options);
}

/**
 * Opens an audit for those who look after it; to read, it has to be there.
 *
 * @throws output_failed where it cannot be opened; credentials_refused, timed_out, audit_unavailable of a database
 */
export function openLedger(audit: string, mode: 'read' | 'write'): Promise<AuditLedger> {
  return opened(audit, async () => {
    if (!isPostgresUrl(audit)) return openSqliteLedger(audit, mode);
    const { openPostgresLedger } = await import('./postgres/ledger.ts');
    return openPostgresLedger(audit, mode);
  });
}

/** A failure while an audit is read, as one of a database that may have gone away meanwhile. */
export async function readFailure(audit: string, thrown: unknown): Promise<unknown> {
  if (thrown instanceof VadeError || !isPostgresUrl(audit)) return thrown;
  const { failureOf } = await import('./postgres/connection.ts');
  return failureOf(audit, 'read', thrown);
}

/** A checkpoint is kept once it is outside the store too. */
function anchored(store: AuditStore, anchor: Anchor): AuditStore {
  return {
    ...store,
    checkpoint: async (point) => {
      await store.checkpoint(point);
      anchor.keep(point);
    },
  };
}

interface Opened {
  readonly audit: string;
  readonly state: string;
  readonly writer: string;
  readonly anchor: Anchor;
  readonly log: Logger;
}

/** Signs what earlier writers left unsigned, and says where the store is not the one that its anchor knows. */
async function signLeft(
  { audit, state, writer, anchor, log }: Opened,
  seal: SignCheckpoint,
  now: number,
): Promise<void> {
  try {
    const known = readAnchor(anchorPath(state), proverOf(readKept(`${state}.checkpoint.pub`) ?? '')) ?? [];
    const ledger = await openLedger(audit, 'write');
    try {
      const broken = await signTails(ledger, writer, seal, now);
      if (broken.length > 0) log.error({ writers: broken }, 'the audit was changed: run vade audit verify');
      const missing = await missingFrom(ledger, known);
      if (missing.length > 0)
        log.error({ writers: missing }, 'the audit was emptied or replaced: run vade audit verify');
      const begun = await anchorLedger(ledger, anchor, known);
      if (begun > 0 && !anchor.wasThere)
        log.warn({ chains: begun }, 'the anchor of the audit was missing; it begins anew');
    } finally {
      await ledger.end();
    }
  } catch (error) {
    log.warn({ reason: messageOf(error) }, 'what earlier writers of the audit left unsigned is not signed yet');
  }
}

async function opened<T>(what: string, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof VadeError) throw error;
    const shown = isPostgresUrl(what) ? shownUrl(what) : what;
    throw new VadeError('output_failed', `the audit ${shown} cannot be opened: ${messageOf(error)}`);
  }
}
