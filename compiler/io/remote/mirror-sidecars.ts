import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { MAX_ENVELOPE_BYTES } from '../../schema/bundle/bundle.ts';
import { orNull } from '../../schema/or-null.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import { openFreshness, readFreshness } from '../../trust/freshness.ts';
import { judgeWithdrawals, type Judging, type Withdrawals } from '../../trust/judge-withdrawals.ts';
import { openRollback } from '../../trust/rollback.ts';
import { envelopesOf, listWithdrawals } from '../../trust/withdrawal.ts';
import type { OpenBundle } from '../bundle/open-bundle.ts';
import { assertNoneMissing, FRESHNESS, judgingOf, readSidecar, ROLLBACK, WITHDRAWN } from '../bundle/sidecar-files.ts';
import { replaceFile } from '../files/durable.ts';
import { bounded } from './download-limits.ts';
import type { Got, Remote, Validators } from './remote.ts';

export interface SidecarContext {
  readonly remote: Remote;
  readonly folder: string;
  /** The validators of the local files; updated. */
  readonly known: Map<string, Validators>;
  /** Opens the verified bundle that the files belong to. */
  readonly open: () => OpenBundle;
  /** The newest known trust root, whose administrators may permit a rollback to that bundle. */
  readonly newestTrust: (bundle: OpenBundle) => TrustRoot;
}

/** Most bytes of all three files, counted after decompression: one full list, and the statements about it. */
const MAX_UNPROVEN_BYTES = 2 * MAX_ENVELOPE_BYTES;

/**
 * Downloads the sidecar files of a bundle. Each file is verified before it replaces the local one. Withdrawals are
 * applied first, even if another file is invalid: they must not wait.
 *
 * @throws bundle_not_found; bundle_unverified: format_unknown for a list that cannot be parsed, withdrawals_missing for
 * one from which records are missing
 */
export async function mirrorSidecars(context: SidecarContext): Promise<void> {
  const unproven = { ...context, remote: bounded(context.remote, MAX_UNPROVEN_BYTES) };
  // before the list: a withdrawal in between makes the list longer than the statement requires, never shorter
  const freshness = await fetchBeside(unproven, FRESHNESS);
  const list = await fetchBeside(unproven, WITHDRAWN);
  const permission = await fetchBeside(unproven, ROLLBACK);
  // withdrawals and freshness statements stay when the host no longer has them; a permission does not
  if (permission.kind === 'missing') rmSync(join(context.folder, ROLLBACK), { force: true });
  if ([freshness, list, permission].every((it) => it.kind !== 'found')) return;
  const bundle = context.open();
  const { missing } = takeWithdrawn(context, list, judgingBy(bundle, context.folder, freshness));
  assertNoneMissing(missing);
  if (list.kind === 'found') context.known.set(WITHDRAWN, list.validators);
  take(context, ROLLBACK, permission, (bytes) => isPermitted(bytes, bundle, context.newestTrust(bundle)));
  take(context, FRESHNESS, freshness, (bytes, here) => isFresher(bytes, here, bundle));
}

/** Requests a file; without its validators until it has been applied. */
async function fetchBeside({ remote, known }: SidecarContext, name: string): Promise<Got> {
  const before = known.get(name);
  const got = await remote.get(name, MAX_ENVELOPE_BYTES, before);
  if (got.kind === 'same' && before) return got;
  known.delete(name);
  return got.kind === 'same' ? { kind: 'missing', status: 304 } : got;
}

/** Both the local statement and the downloaded one count: a withdrawal that either names must be in the list. */
function judgingBy(bundle: OpenBundle, folder: string, offered: Got): Judging {
  const here = judgingOf(bundle, readSidecar(folder, FRESHNESS));
  const { bound } = judgingOf(bundle, offered.kind === 'found' ? offered.bytes : null);
  return { ...here, bound: [...here.bound, ...bound] };
}

/** Applies the host's list, and keeps withdrawals that it no longer contains. */
function takeWithdrawn({ folder }: SidecarContext, list: Got, judging: Judging): Withdrawals {
  const before = readSidecar(folder, WITHDRAWN);
  const here = judgeReadable(before, judging);
  if (list.kind !== 'found') return here;
  const offered = judgeWithdrawals(list.bytes, judging);
  const listed = new Set(offered.listed);
  const lost = here.listed.filter((it) => !listed.has(it)).map((it) => here.envelopes.get(it));
  const bytes = lost.length === 0 ? list.bytes : merged(list.bytes, offered, lost);
  if (before?.equals(bytes) !== true) replaceFile(join(folder, WITHDRAWN), bytes);
  return lost.length === 0 ? offered : judgeWithdrawals(bytes, judging);
}

/** A local list that cannot be parsed counts as none, and is replaced. */
function judgeReadable(file: Buffer | null, judging: Judging): Withdrawals {
  try {
    return judgeWithdrawals(file, judging);
  } catch {
    return judgeWithdrawals(null, judging);
  }
}

/** Records that do not verify are kept for reporting if the list has room; otherwise only verified ones are kept. */
function merged(list: Buffer, offered: Withdrawals, lost: readonly unknown[]): Buffer {
  try {
    return listWithdrawals([...envelopesOf(list), ...lost]);
  } catch {
    return listWithdrawals([...offered.envelopes.values(), ...lost]);
  }
}

type Keeps = (offered: Buffer, here: Buffer | null) => boolean;

function take({ folder, known }: SidecarContext, name: string, got: Got, keeps: Keeps): void {
  const here = readSidecar(folder, name);
  if (got.kind !== 'found' || !keeps(got.bytes, here)) return;
  if (here?.equals(got.bytes) !== true) replaceFile(join(folder, name), got.bytes);
  known.set(name, got.validators);
}

function isPermitted(offered: Buffer, { root, now }: OpenBundle, trust: TrustRoot): boolean {
  return orNull(() => openRollback(offered, trust, root.predicate.deployment, now)) !== null;
}

/** Whether a statement is valid and no older than the local one: an old one may expire later yet withdraw less. */
function isFresher(offered: Buffer, here: Buffer | null, { trust, root, revision, now }: OpenBundle): boolean {
  // without a local one, even an invalid one is kept, so that it is reported
  if (here === null) return true;
  const { deployment } = root.predicate;
  const next = orNull(() => openFreshness(offered, trust, { deployment, revision }, now));
  const before = orNull(() => readFreshness(here, trust, deployment, now));
  return next !== null && (before === null || Date.parse(next.issued) >= Date.parse(before.issued));
}
