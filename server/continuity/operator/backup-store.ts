import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { claimCopy, type ClaimedCopy } from '../../../compiler/io/files/claimed-copy.ts';
import { replaceFile, syncFile, syncFolder } from '../../../compiler/io/files/durable.ts';
import { openDatabase } from '../../../compiler/io/files/sqlite.ts';
import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';
import { BRANCH } from '../git/commit-stream.ts';
import { git } from '../git/read-history.ts';
import { ensureRepository, readTip } from '../git/repository.ts';
import { ownerPlaceOf } from '../store/place.ts';
import { ownersIn } from './owners.ts';
import { verifyStore, type VerifiedStore } from './verify-store.ts';

/**
 * Copies a folder of capsules, while servers may run: every history as one pack, every database as of one instant. The
 * copy has the same layout, so a server can serve it, and it is verified before it gets its name.
 *
 * @param out folder that does not exist
 * @throws already_exists, source_not_found, output_failed, git_unavailable, capsules_unverified
 */
export async function backupStore(root: string, out: string): Promise<VerifiedStore> {
  const owners = ownersIn(root);
  if (existsSync(out)) throw new VadeError('already_exists', `${out} already exists`);
  const claimed = claim(out);
  const copy = claimed.path;
  try {
    mkdirSync(copy, { mode: 0o700 });
    // databases first: a handoff of a capsule must never be there without its capsule
    const databases = readdirSync(root).filter((name) => name.endsWith('.db'));
    for (const name of databases) await copyDatabase(root, copy, name);
    for (const owner of owners) await copyHistory(root, copy, owner);
    const verified = await verifyStore(copy);
    refuseProblems(verified);
    removeTraces(copy);
    syncFolder(copy);
    renameSync(copy, out);
    syncFolder(dirname(out));
    return verified;
  } catch (error) {
    if (error instanceof VadeError) throw error;
    throw unwritable(out, error);
  } finally {
    claimed.end();
  }
}

function claim(out: string): ClaimedCopy {
  try {
    return claimCopy(out);
  } catch (error) {
    throw unwritable(out, error);
  }
}

function unwritable(out: string, error: unknown): VadeError {
  return new VadeError('output_failed', `${out} cannot be written: ${messageOf(error)}`);
}

/** @throws capsules_unverified with every problem */
export function refuseProblems({ problems }: VerifiedStore): void {
  if (problems.length === 0) return;
  const told = problems.slice(0, MOST_TOLD).map(({ where, what }) => `${where}: ${what}`);
  throw new VadeError('capsules_unverified', told.join('; '), { problems });
}

const MOST_TOLD = 10;

async function copyDatabase(root: string, copy: string, name: string): Promise<void> {
  const to = join(copy, name);
  try {
    const db = openDatabase(join(root, name), { readonly: true, fileMustExist: true });
    await db.backup(to).finally(() => db.close());
  } catch (error) {
    rmSync(to, { force: true });
    // the copy of a repository is made again from it
    if (!existsSync(join(root, name.replace(/db$/, 'git')))) throw error;
    return;
  }
  chmodSync(to, 0o600);
  syncFile(to);
}

/** A purge may take a history away while it is packed; then it is packed again. */
const ATTEMPTS = 3;

async function copyHistory(root: string, copy: string, owner: string): Promise<void> {
  const from = ownerPlaceOf(root, owner);
  const { folder } = ownerPlaceOf(copy, owner);
  ensureRepository(folder);
  const pack = join(folder, 'objects/pack/pack');
  for (let attempt = 1; ; attempt++) {
    const tip = readTip(from.folder);
    if (tip === null) return;
    try {
      await git(from, ['-c', 'core.fsync=all', 'pack-objects', '--revs', '--quiet', pack], [0], `${tip}\n`);
      replaceFile(join(folder, BRANCH), `${tip}\n`, { mode: 0o600 });
      syncFolder(dirname(pack));
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || readTip(from.folder) === tip) throw error;
    }
  }
}

/** Removes the files that readers of a database leave beside it. */
function removeTraces(copy: string): void {
  for (const name of readdirSync(copy).filter((it) => /\.db-(wal|shm)$/.test(it))) rmSync(join(copy, name));
}
