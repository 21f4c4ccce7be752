import { join } from 'node:path';
import { isDamaged } from '../../../compiler/io/files/sqlite.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { BRANCH } from '../git/commit-stream.ts';
import { filterExport } from '../git/filter-export.ts';
import { freeLocks } from '../git/leftovers.ts';
import { ensureRepository, readTip } from '../git/repository.ts';
import {
  exportHistory,
  finishReplacing,
  forgetReplaced,
  halfReplaced,
  hasBlob,
  replaceHistory,
  rewriteWithout,
} from '../git/rewrite-history.ts';
import type { Layout, SubjectName } from '../state/files.ts';
import { openState, removeState, type StateFile } from '../state/state-file.ts';
import { requireKnown } from '../state/store-format.ts';
import { erasureOf } from './erasure.ts';
import { mirrorOf, type StateCopy } from './mirror.ts';
import { ownerPlaceOf, type OwnerPlace } from './place.ts';
import { bePresent } from './presence.ts';

/** The erased data, or the data that would be erased. */
export interface Purged {
  /** Commits that no longer exist. */
  readonly commits: number;
  /** Versions of its files that no longer exist. */
  readonly versions: number;
  /**
   * Number of them that could not be read, and may have been another subject's: they lay where its own may lie.
   */
  readonly unreadable: number;
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

/** Time for which other processes may go on writing, in milliseconds. */
const LOCK_MS = 30_000;

/**
 * Erases a subject from the history: every version of its capsule, its fallback and its archives, the commits that
 * wrote them with their messages, and the answers to its idempotency keys. Later commits get new ids. Servers may run.
 *
 * @throws capsule_not_found if the history never had it, continuity_unavailable if something of it is left
 */
export async function purgeSubject(subject: SubjectName, options: PurgeOptions): Promise<Purged> {
  const place = ownerPlaceOf(options.root, options.owner);
  try {
    return await purgeFrom(place, subject, options);
  } catch (error) {
    if (!isDamaged(error)) throw error;
    // the copy of git's data is made again
    removeState(place.state);
    return purgeFrom(place, subject, options);
  }
}

async function purgeFrom(place: OwnerPlace, subject: SubjectName, options: PurgeOptions): Promise<Purged> {
  const presence = bePresent(place.present);
  ensureRepository(place.folder);
  const state = openState(place.state);
  const mirror = mirrorOf(place, state, options.layout);
  try {
    const purged = await state.alone(LOCK_MS, () => erase(subject, place, mirror, options));
    // not before the state has it, so that every process begins anew
    if (!options.dryRun) {
      await state.alone(LOCK_MS, () => {
        forgetReplaced(place);
        return Promise.resolve();
      });
    }
    return purged;
  } finally {
    if (!options.dryRun) sweepCopy(state, place);
    state.end();
    presence.end();
  }
}

async function erase(
  subject: SubjectName,
  place: OwnerPlace,
  mirror: StateCopy,
  options: PurgeOptions,
): Promise<Purged> {
  await freeLocks(place);
  const before = await finishEarlier(subject, place, mirror, options);
  const from = await mirror.follow();
  requireKnown(mirror.files.format(), options.owner, from === null);
  const exported = from === null ? Buffer.alloc(0) : await exportHistory(place);
  const { unreadable, ...erasure } = await erasureOf(subject, exported, place, options.layout);
  const rewritten = await rewriteWithout(place, exported, erasure);
  if (rewritten === null || from === null) {
    if (before !== null) return before;
    throw new VadeError('capsule_not_found', `the history never had ${subject.kind} ${subject.id}`);
  }
  const { tip, dropped: commits, blobs } = rewritten;
  if (!options.dryRun) {
    await replaceHistory(place, tip, from);
    await mirror.beginAnew(tip);
    if (await hasBlob(join(place.folder, 'objects'), blobs))
      throw new VadeError('continuity_unavailable', 'a version of it is still there: run the command again');
  }
  return { commits, versions: blobs.length, unreadable, backups: await backupsWith(blobs, options) };
}

/**
 * Ends a purge that was killed.
 *
 * @returns the erased data of the subject; null if it was of another, or there was none
 */
async function finishEarlier(
  subject: SubjectName,
  place: OwnerPlace,
  mirror: StateCopy,
  options: PurgeOptions,
): Promise<Purged | null> {
  const tip = halfReplaced(place);
  if (tip === null) return null;
  // the kill may have come while objects were being removed
  const exported = await exportHistory(place, tip).catch(() => Buffer.alloc(0));
  const { unreadable, ...erasure } = await erasureOf(subject, exported, place, options.layout);
  const { dropped: commits, blobs } = filterExport(exported, BRANCH, erasure);
  const now = readTip(place.folder);
  if (!options.dryRun && now !== null) {
    await finishReplacing(place);
    await mirror.beginAnew(now);
  }
  if (blobs.length === 0) return null;
  return { commits, versions: blobs.length, unreadable, backups: await backupsWith(blobs, options) };
}

/** Free pages and the log of changes still have the data that was removed from the copy. */
function sweepCopy({ db }: StateFile, { state }: OwnerPlace): void {
  try {
    db.pragma(`busy_timeout = ${LOCK_MS}`);
    db.exec('VACUUM');
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (!isDamaged(error)) throw error;
    removeState(state);
  }
}

/** Backups that have one of some blobs. */
async function backupsWith(blobs: readonly string[], { backups, owner }: PurgeOptions): Promise<string[]> {
  const found: string[] = [];
  for (const backup of backups) {
    const folders = [join(backup, 'objects'), join(backup, `${owner}.git`, 'objects')];
    const held = await Promise.all(folders.map((objects) => hasBlob(objects, blobs)));
    if (held.includes(true)) found.push(backup);
  }
  return found;
}
