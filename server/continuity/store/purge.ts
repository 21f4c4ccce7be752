import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { ensureRepository } from '../git/repository.ts';
import { hasBlob, replaceHistory, rewriteWithout } from '../git/rewrite-history.ts';
import { plainPath } from '../git/shards.ts';
import type { Layout, SubjectName } from '../state/files.ts';
import { openState, type StateFile } from '../state/state-file.ts';
import { mirrorOf } from './mirror.ts';
import { placeOf } from './place.ts';
import { bePresent } from './presence.ts';

/** What was erased, or would be. */
export interface Purged {
  /** Commits that are no more. */
  readonly commits: number;
  /** Versions of its files that are no more. */
  readonly versions: number;
  /** The backups that still have one of them. */
  readonly backups: readonly string[];
}

export interface PurgeOptions {
  readonly root: string;
  readonly owner: string;
  readonly layout: Layout;
  /** Copies of the folder of all owners, or of one repository. */
  readonly backups: readonly string[];
  readonly dryRun: boolean;
}

/** How long other processes may go on writing, in milliseconds. */
const LOCK_MS = 30_000;

/**
 * Erases a subject from the history: every version of its capsule, its fallback and its archives, the commits that
 * wrote them with their messages, and the answers to its idempotency keys. Later commits get new ids. Servers may run.
 *
 * @throws capsule_not_found if the history never had it, continuity_unavailable if something of it is left
 */
export async function purgeSubject(subject: SubjectName, options: PurgeOptions): Promise<Purged> {
  const place = placeOf(options.root, options.owner);
  const presence = bePresent(place.present);
  ensureRepository(place.folder);
  const state = openState(place.state);
  const mirror = mirrorOf(place, state, options.layout);
  try {
    return await state.alone(LOCK_MS, async () => {
      const from = await mirror.follow();
      const { path: home } = mirror.files.of(subject);
      const { tip, dropped, blobs } =
        from === null
          ? { tip: null, dropped: 0, blobs: [] }
          : await rewriteWithout(place, (path) => options.layout.isOf(home, plainPath(path)));
      if (tip === null || from === null) throw new VadeError('capsule_not_found', `the history never had ${home}`);
      if (!options.dryRun) {
        await replaceHistory(place, tip, from);
        await mirror.beginAnew(tip, randomBytes(8).toString('hex'));
        if (await hasBlob(join(place.folder, 'objects'), blobs))
          throw new VadeError('continuity_unavailable', 'a version of it is still there: run the command again');
      }
      return { commits: dropped, versions: blobs.length, backups: await backupsWith(blobs, options) };
    });
  } finally {
    if (!options.dryRun) sweepCopy(state);
    state.end();
    presence.end();
  }
}

/** Free pages and the log of changes have what the copy no longer has. */
function sweepCopy({ db }: StateFile): void {
  db.pragma(`busy_timeout = ${LOCK_MS}`);
  db.exec('VACUUM');
  db.pragma('wal_checkpoint(TRUNCATE)');
}

/** Which backups have one of some blobs. */
async function backupsWith(blobs: readonly string[], { backups, owner }: PurgeOptions): Promise<string[]> {
  const found: string[] = [];
  for (const backup of backups) {
    const folders = [join(backup, 'objects'), join(backup, `${owner}.git`, 'objects')];
    const held = await Promise.all(folders.map((objects) => hasBlob(objects, blobs)));
    if (held.includes(true)) found.push(backup);
  }
  return found;
}
