import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { removeScratchOf } from '../../compiler/io/files/only-writer.ts';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { newUlid } from '../ids.ts';
import { repetitions } from '../log.ts';
import { anchorLedger, anchorPath, missingFrom, openAnchor, readAnchor, type Anchor } from './chain/anchor.ts';
import type { SignCheckpoint } from './chain/checkpointer.ts';
import { auditKeys, checkpointSigner, envelopeVerifierOf, readStateFile, checkpointSignerOf } from './chain/keys.ts';
import { signTails } from './chain/retention.ts';
import { opened } from './failures.ts';
import { isPostgresUrl } from './postgres/url.ts';
import { openJournal } from './queue/journal.ts';
import { createSpoolSeal } from './queue/spool-file.ts';
import { openSpool, type SpoolOptions } from './queue/spool.ts';
import type { AuditLog } from './records/log.ts';
import { createReopeningStore, Unreachable } from './records/reopening-store.ts';
import type { AuditLedger, AuditStore, IntentMode, StoreOptions } from './records/store.ts';
import { publishedFactsPath, rollbackMemoryPath } from './rollback-memory.ts';
import { openSqliteLedger } from './sqlite/ledger.ts';
import { openSqliteStore } from './sqlite/store.ts';

export interface AuditOptions {
  /** An SQLite file, or the URL of a PostgreSQL database. */
  readonly audit: string;
  /** Prefix of the state files: spool, keys. Default: the SQLite file. */
  readonly state?: string;
  /** The URL of a read replica of the database, for lists and reports. */
  readonly replica?: string | undefined;
  /** Default: full. */
  readonly intents?: IntentMode;
  /** Capacity of the spool, in bytes. */
  readonly spoolBytes?: number;
  /** `VADE_AUDIT_KEY`, whose first key seals the rows of the spool; without it a key file next to the audit is used. */
  readonly auditKey?: string | undefined;
  /** `VADE_CHECKPOINT_KEY`; without it a key file next to the audit is used. */
  readonly checkpointKey?: string | undefined;
  readonly now: () => number;
}

const SPOOL_BYTES = 64 * 1024 * 1024;

/** Prefix of an audit's state files. @throws argument_invalid for a database without `state` */
export function stateOf({ audit, state }: Pick<AuditOptions, 'audit' | 'state'>): string {
  if (state !== undefined) return state;
  if (isPostgresUrl(audit)) throw new VadeError('argument_invalid', 'an audit in PostgreSQL requires --state');
  return audit;
}

/**
 * The keys of audit tokens (`VADE_AUDIT_KEY`); instances that share a database have to share them.
 *
 * @throws argument_invalid
 */
export function tokenKeys(options: AuditOptions) {
  const { audit, auditKey = '' } = options;
  if (isPostgresUrl(audit) && auditKey === '') {
    const message =
      'instances that share an audit have to share VADE_AUDIT_KEY: each verifies the tokens of the others';
    throw new VadeError('argument_invalid', message);
  }
  return auditKeys(auditKey, stateOf(options));
}

/** Logs lost rows, each cause once a minute. */
export function auditFailures(log: Logger): (error: unknown) => void {
  const countRepeated = repetitions();
  return (error) => {
    const times = countRepeated(messageOf(error));
    if (times !== null) log.error({ reason: messageOf(error), times }, 'audit_write_failed');
  };
}

/**
 * Opens the audit, and signs chains that killed writers left unsigned.
 *
 * @throws output_failed if the spool cannot be opened, or the store can never be; audit_unverified for a damaged file;
 *   signing_key_required, argument_invalid
 */
export async function openAudit(options: AuditOptions, log: Logger): Promise<AuditLog> {
  const { audit, replica, intents = 'full', now } = options;
  requirePostgresFor(replica, audit);
  const state = stateOf(options);
  for (const path of stateFiles(state)) removeScratchOf(path);
  const writer = `w_${newUlid(now())}`;
  const sign = checkpointSignerOf(checkpointSigner(options.checkpointKey, state));
  const folder = `${state}.spool`;
  const opening: StoreOptions = { writer, intents, replica, openedAt: now() };
  const open = () => opened(audit, () => openStore(audit, opening));
  const first = await openIfReachable(open, existsSync(folder), log);
  const anchor = openAnchor(state);
  const store = withAnchor(createReopeningStore(first, open), anchor);
  const spool = await opened(folder, () => openSpool(spoolOptions(options, { folder, writer }, log))).catch(
    async (error: unknown) => {
      await store.end();
      throw error;
    },
  );
  if (spool.rows() > 0)
    log.warn({ spooled: spool.rows() }, 'audit rows from an earlier run are in the spool; storing them now');
  await signUnsignedChains({ audit, state, writer, anchor, log }, sign, now());
  return openJournal({
    store,
    spool,
    intents,
    sign,
    now,
    isUp: first !== null,
    isSpooledFirst: !isPostgresUrl(audit),
    onChange: (up, error) => {
      if (up) log.info({ torn: spool.torn() }, 'the audit store accepts rows again');
      else log.error({ reason: messageOf(error) }, 'the audit store fails; rows wait in the spool');
    },
    onDelay: delayReport(log),
  });
}

/** Reports equal delays once a minute. */
function delayReport(log: Logger) {
  const countDelay = repetitions();
  return (what: 'checkpoint' | 'archive', error: Error) => {
    const times = countDelay(`${what} ${messageOf(error)}`);
    if (times !== null)
      log.warn({ reason: messageOf(error), times }, `an audit ${what} could not be written; retrying`);
  };
}

function spoolOptions(
  options: AuditOptions,
  place: Pick<SpoolOptions, 'folder' | 'writer'>,
  log: Logger,
): SpoolOptions {
  const seal = createSpoolSeal(auditKeys(options.auditKey, stateOf(options)));
  const onAltered = (file: string, rows: number) => {
    log.error({ file, rows }, 'rows of the spool were changed, or sealed with another VADE_AUDIT_KEY: not stored');
  };
  return { ...place, maxBytes: options.spoolBytes ?? SPOOL_BYTES, now: options.now, seal, onAltered };
}

/** The files beside an audit that are replaced whole. */
function stateFiles(state: string): string[] {
  const secrets = ['key', 'checkpoint.pem', 'checkpoint.pub'].map((it) => `${state}.${it}`);
  return [...secrets, anchorPath(state), rollbackMemoryPath(state), publishedFactsPath(state)];
}

/** @throws argument_invalid */
function requirePostgresFor(replica: string | undefined, audit: string): void {
  if (replica === undefined || (isPostgresUrl(replica) && isPostgresUrl(audit))) return;
  throw new VadeError('argument_invalid', '--audit-replica and --audit both have to be postgres://…, of one database');
}

/**
 * The opened store; null if the database is unreachable but was reached by an earlier run: a restart during an outage
 * has to work like a running server. On the first run an unreachable address is an error.
 */
async function openIfReachable(
  open: () => Promise<AuditStore>,
  hasSpool: boolean,
  log: Logger,
): Promise<AuditStore | null> {
  try {
    return await open();
  } catch (error) {
    if (!hasSpool || !(error instanceof Unreachable)) throw error;
    log.error({ reason: messageOf(error) }, 'the audit store is unreachable; rows wait in the spool');
    return null;
  }
}

async function openStore(audit: string, options: StoreOptions): Promise<AuditStore> {
  if (!isPostgresUrl(audit)) return openSqliteStore(audit, options);
  const { openPostgresStore } = await import('./postgres/store.ts');
  return openPostgresStore(audit, options);
}

/**
 * Opens an audit for maintenance; to read, it has to exist.
 *
 * @throws output_failed if it cannot be opened; audit_unverified for a damaged file; credentials_refused, timed_out,
 *   audit_unavailable of a database
 */
export function openLedger(audit: string, mode: 'read' | 'write'): Promise<AuditLedger> {
  return opened(audit, async () => {
    if (!isPostgresUrl(audit)) return openSqliteLedger(audit, mode);
    const { openPostgresLedger } = await import('./postgres/ledger.ts');
    return openPostgresLedger(audit, mode);
  });
}

/** A checkpoint counts as written once the anchor has it too. */
function withAnchor(store: AuditStore, anchor: Anchor): AuditStore {
  return {
    ...store,
    checkpoint: async (point) => {
      await store.checkpoint(point);
      anchor.keep(point);
    },
  };
}

interface OpenedAudit {
  readonly audit: string;
  readonly state: string;
  readonly writer: string;
  readonly anchor: Anchor;
  readonly log: Logger;
}

/** Signs what earlier writers left unsigned, and reports a store that does not match its anchor. */
async function signUnsignedChains(
  { audit, state, writer, anchor, log }: OpenedAudit,
  sign: SignCheckpoint,
  now: number,
): Promise<void> {
  try {
    const known =
      readAnchor(anchorPath(state), envelopeVerifierOf(readStateFile(`${state}.checkpoint.pub`) ?? '')) ?? [];
    const ledger = await openLedger(audit, 'write');
    try {
      const broken = await signTails(ledger, writer, sign, now);
      if (broken.length > 0) log.error({ writers: broken }, 'the audit was changed: run vade audit verify');
      const missing = await missingFrom(ledger, known);
      if (missing.length > 0)
        log.error({ writers: missing }, 'the audit was emptied or replaced: run vade audit verify');
      const anchored = await anchorLedger(ledger, anchor, known);
      if (anchored > 0 && !anchor.existed)
        log.warn({ chains: anchored }, 'the anchor of the audit was missing; a new one was created');
    } finally {
      await ledger.end();
    }
  } catch (error) {
    log.warn({ reason: messageOf(error) }, 'chains of earlier audit writers could not be signed yet');
  }
}
