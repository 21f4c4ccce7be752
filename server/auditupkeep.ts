import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { messageOf, VadeError } from '../compiler/model/errors.ts';
import { openLedger } from './auditing.ts';
import { knownSigner, proverOf, sealWith, readKept } from './auditkeys.ts';
import { spooledRows } from './spooled.ts';
import type { AuditLedger, ErasureFilter } from './store/auditstore.ts';
import { isPostgresUrl, refuseBackup } from './store/postgresurl.ts';
import { retirable, retire } from './store/upkeep.ts';
import { verifyLedger, type AuditTally } from './store/verify.ts';

/** An audit, with the files beside it. */
export interface AuditPlace {
  /** An SQLite file, or the URL of a PostgreSQL database. */
  readonly audit: string;
  /** What the names of the files beside it begin with. */
  readonly state: string;
}

/**
 * Proves every chain of an audit.
 *
 * @param pinned public keys in PEM that checkpoints are believed by; null for those beside the audit
 * @throws audit_unverified with the first thing that is wrong, audit_not_found, argument_invalid, output_failed
 */
export async function verifyAudit(place: AuditPlace, pinned: string | null): Promise<AuditTally> {
  assertThere(place);
  const prove = proverOf(pinned ?? keysBeside(place));
  const { tally, fault } = await withLedger(place, 'read', (ledger) => verifyLedger(ledger, prove));
  if (fault === null) return tally;
  const at = fault.n === null ? '' : `, entry ${fault.n}`;
  throw new VadeError('audit_unverified', `the audit does not hold: ${fault.problem} at ${fault.writer}${at}`, {
    ...fault,
  });
}

function keysBeside({ state }: AuditPlace): string {
  const path = `${state}.checkpoint.pub`;
  const known = readKept(path);
  if (known !== null) return known;
  throw new VadeError('argument_invalid', `there is no ${path}: say with --checkpoint-key which key to believe`);
}

/**
 * Copies an audit file while a server may write to it, and proves the copy.
 *
 * @throws already_exists, audit_unverified where the copy does not hold, audit_not_found, argument_invalid,
 * output_failed
 */
export async function backupAudit(place: AuditPlace, out: string, pinned: string | null): Promise<AuditTally> {
  if (isPostgresUrl(place.audit)) refuseBackup(place.audit);
  assertThere(place);
  begin(out);
  try {
    const db = new Database(place.audit, { readonly: true });
    await db.backup(out).finally(() => db.close());
    return await verifyAudit({ ...place, audit: out }, pinned);
  } catch (error) {
    for (const file of [out, `${out}-wal`, `${out}-shm`]) rmSync(file, { force: true });
    if (error instanceof VadeError) throw error;
    throw new VadeError('output_failed', `${out} cannot be written: ${messageOf(error)}`);
  }
}

/** Takes the name, for its owner's eyes alone: a copy holds intents too. */
function begin(out: string): void {
  try {
    closeSync(openSync(out, 'wx', 0o600));
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw new VadeError(taken ? 'already_exists' : 'output_failed', `${out} cannot be made: ${messageOf(error)}`);
  }
}

/** What retention dropped, or would drop. */
export interface Retained {
  readonly entries: number;
  readonly chains: readonly { readonly writer: string; readonly n: number; readonly entries: number }[];
}

/**
 * Drops whole signed segments of which every entry is older, with their intents. An audit that does not hold is left
 * as it is, as what is wrong with it would go too.
 *
 * @param before milliseconds since 1970
 * @param checkpointKey `VADE_CHECKPOINT_KEY`; without it the key beside the audit signs
 * @throws audit_unverified, audit_not_found, signing_key_required, argument_invalid, output_failed
 */
export async function retainAudit(
  place: AuditPlace,
  { before, now, checkpointKey, dryRun }: RetainOptions,
): Promise<Retained> {
  assertThere(place);
  const signer = knownSigner(checkpointKey, place.state);
  await verifyAudit(place, null);
  return withLedger(place, dryRun ? 'read' : 'write', async (ledger) => {
    const old = await retirable(ledger, before);
    const entries = old.reduce((sum, it) => sum + it.entries, 0);
    if (!dryRun) await retire(ledger, old, sealWith(signer), now);
    return { entries, chains: old.map((it) => ({ writer: it.writer, n: it.n, entries: it.entries })) };
  });
}

export interface RetainOptions {
  readonly before: number;
  readonly now: number;
  readonly checkpointKey: string | undefined;
  readonly dryRun: boolean;
}

/** What an erasure took, or would take. */
export interface Erased {
  readonly intents: number;
  /** Rows that are not in the store yet: their intents are still to come. */
  readonly spooled: number;
}

/**
 * Erases text and salt of intents; the chain holds without them.
 *
 * @throws audit_not_found, output_failed
 */
export function eraseIntents(place: AuditPlace, filter: ErasureFilter, dryRun: boolean): Promise<Erased> {
  return withLedger(place, dryRun ? 'read' : 'write', async (ledger) => {
    const intents = dryRun ? await ledger.matching(filter) : await ledger.erase(filter);
    return { intents, spooled: spooledRows(place) };
  });
}

/** A command on a file that is not there makes none. */
export function assertThere({ audit }: AuditPlace): void {
  if (isPostgresUrl(audit) || existsSync(audit)) return;
  throw new VadeError('audit_not_found', `there is no audit ${audit}`);
}

async function withLedger<T>(
  place: AuditPlace,
  mode: 'read' | 'write',
  work: (ledger: AuditLedger) => Promise<T>,
): Promise<T> {
  assertThere(place);
  const ledger = await openLedger(place.audit, mode);
  try {
    return await work(ledger);
  } finally {
    await ledger.end();
  }
}
