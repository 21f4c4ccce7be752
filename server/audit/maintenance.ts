import { existsSync, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { claimCopy, type ClaimedCopy } from '../../compiler/io/files/claimed-copy.ts';
import { moveNew, syncFile, syncFolder, writeDurably } from '../../compiler/io/files/durable.ts';
import { openDatabase } from '../../compiler/io/files/sqlite.ts';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { anchorPath, readAnchor } from './chain/anchor.ts';
import { knownSigner, envelopeVerifierOf, checkpointSignerOf, readStateFile } from './chain/keys.ts';
import { retirable, retireSegments } from './chain/retention.ts';
import { verifyLedger, type VerificationFailure, type AuditTally, type VerifyEnvelope } from './chain/verify-chain.ts';
import { readFailure } from './failures.ts';
import { openLedger } from './open.ts';
import { isPostgresUrl, refuseBackup } from './postgres/url.ts';
import { spooledRows } from './queue/spool-file.ts';
import type { AuditLedger, ChainHead, ErasureFilter } from './records/store.ts';
import { rollbackMemory, rollbackMemoryPath, type RollbackMemory } from './rollback-memory.ts';
import { isSqliteFile } from './sqlite/file.ts';

/** An audit and its state files. */
export interface AuditPlace {
  /** An SQLite file, or the URL of a PostgreSQL database. */
  readonly audit: string;
  /** Prefix of its state files. */
  readonly state: string;
}

/** Options of a verification. */
export interface VerifyAuditOptions {
  /** Trusted public keys in PEM; null for the key file next to the audit. */
  readonly pinned: string | null;
  /** An earlier backup or copy of the anchor: its chain heads have to exist. */
  readonly against?: string | undefined;
}

/** The result of a verification, with its outside evidence. */
export interface VerifiedAudit extends AuditTally {
  /** Number of chain heads named by the anchor or an earlier copy; null without either. */
  readonly witnessed: number | null;
  readonly rollback_memory: RollbackMemory;
}

/**
 * Verifies every chain of an audit, and that every chain head known outside the store exists.
 *
 * @throws audit_unverified with the first problem, audit_not_found, argument_invalid, output_failed
 */
export async function verifyAudit(place: AuditPlace, options: VerifyAuditOptions): Promise<VerifiedAudit> {
  assertExists(place);
  const verifyEnvelope = envelopeVerifierOf(options.pinned ?? readPublicKeys(place));
  // read before the store, because the store may grow meanwhile
  const outside = await readOutsideHeads(place, verifyEnvelope, options.against);
  return verifyWithEvidence(place, verifyEnvelope, outside);
}

async function verifyWithEvidence(
  place: AuditPlace,
  verifyEnvelope: VerifyEnvelope,
  { heads, problem, isExpected }: OutsideHeads,
): Promise<VerifiedAudit> {
  const { tally, failure } = await withLedger(place, 'read', (ledger) =>
    verifyLedger(ledger, verifyEnvelope, heads ?? []),
  );
  if (failure !== null) throw unverified(failure);
  if (problem !== null) throw problem;
  if (heads === null && isExpected && tally.checkpoints > 0) {
    const suggestion = 'verify it with --against <earlier backup>; the next server start creates a new anchor';
    const message = `no evidence outside the audit of its extent: ${anchorPath(place.state)} is missing`;
    throw new VadeError('audit_unverified', message, { writer: null, n: null, problem: 'anchor_missing', suggestion });
  }
  const rollback_memory = rollbackMemory(rollbackMemoryPath(place.state), tally.serial);
  return { ...tally, witnessed: heads?.length ?? null, rollback_memory };
}

function unverified(failure: VerificationFailure): VadeError {
  const at = failure.n === null ? '' : `, entry ${failure.n}`;
  const message = `the audit does not verify: ${failure.problem} at ${failure.writer}${at}`;
  return new VadeError('audit_unverified', message, { ...failure });
}

interface OutsideHeads {
  readonly heads: readonly ChainHead[] | null;
  /** Whether a server has run with this state: then an anchor has to exist. */
  readonly isExpected: boolean;
  /** The anchor's problem; reported if the store itself verifies. */
  readonly problem: VadeError | null;
}

function readOwnAnchor(state: string, verifyEnvelope: VerifyEnvelope): Pick<OutsideHeads, 'heads' | 'problem'> {
  try {
    return { heads: readAnchor(anchorPath(state), verifyEnvelope), problem: null };
  } catch (error) {
    if (!(error instanceof VadeError)) throw error;
    return { heads: null, problem: error };
  }
}

async function readOutsideHeads(
  { state }: AuditPlace,
  verifyEnvelope: VerifyEnvelope,
  against?: string,
): Promise<OutsideHeads> {
  const earlier = against === undefined ? null : await headsOf(against, verifyEnvelope);
  const { heads: own, problem } = readOwnAnchor(state, verifyEnvelope);
  const heads = own === null && earlier === null ? null : [...(own ?? []), ...(earlier ?? [])];
  return { heads, isExpected: existsSync(`${state}.checkpoint.pub`), problem };
}

/** The chain heads of an earlier copy, which has to verify itself. */
async function headsOf(path: string, verifyEnvelope: VerifyEnvelope): Promise<readonly ChainHead[]> {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new VadeError('argument_invalid', `--against: ${path} does not exist`);
  if (!isSqliteFile(path)) return namedIn(path, verifyEnvelope);
  return withLedger({ audit: path, state: path }, 'read', async (ledger) => {
    const { ends, failure } = await verifyLedger(ledger, verifyEnvelope);
    if (failure !== null) throw unverified(failure);
    return ends;
  });
}

function namedIn(path: string, verifyEnvelope: VerifyEnvelope): readonly ChainHead[] {
  const heads = readAnchor(path, verifyEnvelope) ?? [];
  // a wrong file must not count as evidence
  if (heads.length > 0) return heads;
  throw new VadeError('argument_invalid', `--against: ${path} is neither a backup of an audit nor an anchor`);
}

function readPublicKeys({ state }: AuditPlace): string {
  const path = `${state}.checkpoint.pub`;
  const known = readStateFile(path);
  if (known !== null) return known;
  throw new VadeError('argument_invalid', `${path} does not exist: name a trusted key with --checkpoint-key`);
}

/**
 * Copies an audit file, even while a server writes to it, and verifies the copy.
 *
 * @throws already_exists, audit_unverified if the copy does not verify, audit_not_found, argument_invalid,
 * output_failed
 */
export async function backupAudit(place: AuditPlace, out: string, pinned: string | null): Promise<VerifiedAudit> {
  if (isPostgresUrl(place.audit)) refuseBackup(place.audit);
  assertExists(place);
  assertFree(out);
  const verifyEnvelope = envelopeVerifierOf(pinned ?? readPublicKeys(place));
  const outside = await readOutsideHeads(place, verifyEnvelope);
  let claimed: ClaimedCopy | null = null;
  try {
    const { path: copy } = (claimed = claimCopy(out));
    // private to its owner: a copy contains intents too
    writeDurably(copy, '', 0o600);
    const db = openDatabase(place.audit, { readonly: true });
    await db.backup(copy).finally(() => db.close());
    const tally = await verifyWithEvidence({ ...place, audit: copy }, verifyEnvelope, outside);
    syncFile(copy);
    moveNew(copy, out);
    syncFolder(dirname(out));
    return tally;
  } catch (error) {
    assertFree(out, error);
    const known = await readFailure(place.audit, error);
    if (known instanceof VadeError) throw known;
    throw new VadeError('output_failed', `${out} cannot be written: ${messageOf(error)}`);
  } finally {
    claimed?.end();
  }
}

/** Never overwrites an existing file. @param met the error of the attempt */
function assertFree(out: string, met: unknown = { code: 'EEXIST' }): void {
  const isTaken = (met as NodeJS.ErrnoException).code === 'EEXIST';
  if (isTaken && lstatSync(out, { throwIfNoEntry: false })) throw new VadeError('already_exists', `${out} exists`);
}

/** Entries and chains that retention dropped or would drop. */
export interface Retained {
  readonly entries: number;
  readonly chains: readonly { readonly writer: string; readonly n: number; readonly entries: number }[];
}

/**
 * Drops whole signed segments in which every entry is older, with their intents. An audit that does not verify is not
 * changed, because dropping would remove the evidence.
 *
 * @param before milliseconds since 1970
 * @param checkpointKey `VADE_CHECKPOINT_KEY`; without it the key file next to the audit signs
 * @throws audit_unverified, audit_not_found, signing_key_required, argument_invalid, output_failed
 */
export async function retainAudit(
  place: AuditPlace,
  { before, now, checkpointKey, dryRun }: RetainOptions,
): Promise<Retained> {
  assertExists(place);
  const signer = knownSigner(checkpointKey, place.state);
  await verifyAudit(place, { pinned: null });
  return withLedger(place, dryRun ? 'read' : 'write', async (ledger) => {
    const old = await retirable(ledger, before);
    const entries = old.reduce((sum, it) => sum + it.entries, 0);
    if (!dryRun) await retireSegments(ledger, old, checkpointSignerOf(signer), now);
    return { entries, chains: old.map((it) => ({ writer: it.writer, n: it.n, entries: it.entries })) };
  });
}

export interface RetainOptions {
  readonly before: number;
  readonly now: number;
  readonly checkpointKey: string | undefined;
  readonly dryRun: boolean;
}

/** Intents that an erasure erased or would erase. */
export interface Erased {
  readonly intents: number;
  /** Rows still in the spool, whose intents are not erased. */
  readonly spooled: number;
}

/**
 * Erases text, files and salt of intents; the chain verifies without them.
 *
 * @throws audit_not_found, output_failed
 */
export function eraseIntents(place: AuditPlace, filter: ErasureFilter, dryRun: boolean): Promise<Erased> {
  return withLedger(place, dryRun ? 'read' : 'write', async (ledger) => {
    const intents = dryRun ? await ledger.matching(filter) : await ledger.erase(filter);
    return { intents, spooled: spooledRows(place) };
  });
}

/** Prevents a command from creating a missing file. */
export function assertExists({ audit }: AuditPlace): void {
  if (isPostgresUrl(audit) || existsSync(audit)) return;
  throw new VadeError('audit_not_found', `the audit ${audit} does not exist`);
}

/** Opens an audit for some work, and closes it. @throws audit_not_found, what opening and reading throw */
export async function withLedger<T>(
  place: AuditPlace,
  mode: 'read' | 'write',
  work: (ledger: AuditLedger) => Promise<T>,
): Promise<T> {
  assertExists(place);
  const ledger = await openLedger(place.audit, mode);
  try {
    return await work(ledger);
  } catch (error) {
    throw await readFailure(place.audit, error);
  } finally {
    await ledger.end().catch(() => undefined);
  }
}
