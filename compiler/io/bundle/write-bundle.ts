import { randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KEPT_ROOTS, MAX_FILE_BYTES, type Bundle, type RootEntry } from '../../schema/bundle/bundle.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { refuse } from '../../schema/refusals.ts';
import { replaceFile, SCRATCH, syncFolder, writeTree } from '../files/durable.ts';
import { takeLock } from '../files/lock.ts';
import { listNames, readTree } from '../files/tree.ts';
import { damageIn, faultAt, gardenPlace, gardensNamed, rootPlace, type Damage } from './damage.ts';
import { CURRENT, currentRevision, GARDEN_ENVELOPE, gardenFolder } from './open-bundle.ts';
import { boundSuperseded, supersede } from './superseded-manifests.ts';

const LOCK = '.lock';

/** What writing a bundle came to, or would come to. */
export interface Written {
  readonly effect: 'created' | 'updated' | 'noop';
  /** What was there, was not as it was signed, and is written anew. */
  readonly repaired: readonly Damage[];
  /** What is wrong with older roots that are kept: this bundle has not got their bytes. */
  readonly damaged: readonly Damage[];
}

/** Looks at every byte of what stands in a folder; nothing is written. */
export function examineBundle(folder: string, bundle: Bundle): Written {
  return examine(folder, bundle).told;
}

function examine(folder: string, { revision, statement }: Bundle) {
  const known = new Map<string, Damage['reason'] | null>();
  const wrong = damageIn(folder, revision, statement.predicate.gardens, known);
  const [current, ...older] = keptRoots(folder, revision);
  const damaged = older.flatMap((it) => damageIn(folder, it, gardensNamed(folder, it) ?? [], known));
  const isThere = isCurrent(folder, current);
  const effect = !isThere ? 'created' : wrong.length > 0 ? 'updated' : 'noop';
  // of a bundle that is not the current one, most is not there yet
  const repaired = wrong.filter(({ reason }) => isThere || reason !== 'absent');
  const places = new Set(wrong.map(({ place }) => place));
  const told: Written = { effect, repaired, damaged: damaged.filter(({ place }) => !places.has(place)) };
  return { told, wrong: places };
}

function isCurrent(folder: string, revision: string | undefined): boolean {
  try {
    return currentRevision(folder) === revision;
  } catch {
    return false;
  }
}

/**
 * Writes a bundle beside what is there: gardens and root first, each moved into place whole and on the disk, then
 * `current` by one rename. Until that rename the old bundle is untouched, whatever happens. What is there already is
 * looked at byte by byte, and written anew where it is not as it was signed.
 *
 * @param previous folder of the bundle that reused gardens come from
 * @param isOvertaken asked while no other writer can come between; where it says so, nothing is written
 * @throws file_locked, output_failed
 */
export function writeBundle(
  folder: string,
  bundle: Bundle,
  previous: string | null,
  isOvertaken: () => boolean = () => false,
): Written {
  const unlock = lock(folder);
  try {
    if (isOvertaken()) return { effect: 'noop', repaired: [], damaged: [] };
    sweep(folder);
    const { told, wrong } = examine(folder, bundle);
    placeBundle(folder, bundle, previous, wrong);
    if (told.effect === 'created') replaceFile(join(folder, CURRENT), `${bundle.revision}\n`);
    collect(folder, bundle.revision);
    return told;
  } catch (error) {
    sweep(folder);
    if (error instanceof VadeError) throw error;
    throw new VadeError('output_failed', `${folder} cannot be written: ${messageOf(error)}`);
  } finally {
    unlock();
  }
}

/** Places what is missing or damaged; the root comes last, and names nothing that is not on the disk. */
function placeBundle(folder: string, bundle: Bundle, previous: string | null, wrong: ReadonlySet<string>): void {
  for (const { name, digest, files, envelope } of bundle.built) {
    const place = gardenPlace(name, digest);
    if (wrong.has(place)) placeFolder(folder, join(folder, place), new Map([...files, [GARDEN_ENVELOPE, envelope]]));
  }
  for (const entry of bundle.kept) {
    const place = gardenPlace(entry.garden, entry.digest);
    if (wrong.has(place)) placeFolder(folder, join(folder, place), readKept(entry, previous ?? folder));
  }
  const root = rootPlace(bundle.revision);
  if (wrong.has(root)) placeFolder(folder, join(folder, root), bundle.files);
}

/** The files of a garden of an earlier bundle; only what was signed is carried over. */
function readKept({ garden, digest }: RootEntry, previous: string): Map<string, Buffer> {
  const place = gardenFolder(previous, garden, digest);
  const reason = faultAt(place, GARDEN_ENVELOPE, digest);
  if (reason === null) return readTree(place, MAX_FILE_BYTES);
  const why = reason === 'absent' ? 'file_missing' : reason;
  throw refuse(why, `garden ${garden} of the previous bundle was damaged while it was built on: compile again`);
}

/**
 * Writes a scratch folder, puts it on the disk, and moves it to its place in one step; a damaged one that stands there
 * gives way first.
 */
export function placeFolder(folder: string, place: string, files: ReadonlyMap<string, Buffer>): void {
  const scratch = join(folder, `${SCRATCH}${randomBytes(6).toString('hex')}`);
  mkdirSync(scratch);
  writeTree(scratch, files);
  mkdirSync(dirname(place), { recursive: true });
  const damaged = `${scratch}-damaged`;
  if (lstatSync(place, { throwIfNoEntry: false })) renameSync(place, damaged);
  renameSync(scratch, place);
  for (let at = dirname(place); at.length >= folder.length; at = dirname(at)) syncFolder(at);
  remove(damaged);
}

/** The current root and the newest before it that can be read. */
function keptRoots(folder: string, current: string): string[] {
  const roots = listNames(join(folder, 'roots')).sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  const readable = roots.filter((it) => it !== current && gardensNamed(folder, it) !== null);
  return [current, ...readable].slice(0, KEPT_ROOTS);
}

/** Keeps the newest roots that can be read and what they name; of other gardens, the manifest. Everything else goes. */
export function collect(folder: string, current: string): void {
  const kept = keptRoots(folder, current);
  for (const root of readdirSync(join(folder, 'roots')))
    if (!kept.includes(root)) remove(join(folder, rootPlace(root)));
  const named = new Set(kept.flatMap((root) => gardensNamed(folder, root) ?? []).map(keyOf));
  for (const garden of readdirSync(join(folder, 'gardens'))) {
    const place = join(folder, 'gardens', garden);
    const versions = readdirSync(place);
    const stale = versions.filter((digest) => !named.has(keyOf({ garden, digest })));
    if (stale.length === versions.length) remove(place);
    else for (const digest of stale) supersede(folder, garden, digest);
  }
  boundSuperseded(folder, new Set(readdirSync(join(folder, 'gardens'))));
}

const keyOf = ({ garden, digest }: Pick<RootEntry, 'garden' | 'digest'>) => `${garden}/${digest}`;

/**
 * One writer at a time, wherever it runs; the lock of a process that is gone does not count.
 *
 * @throws file_locked, output_failed
 */
export function lock(folder: string): () => void {
  let unlock: (() => void) | null;
  try {
    mkdirSync(folder, { recursive: true });
    unlock = takeLock(join(folder, LOCK));
  } catch (error) {
    throw new VadeError('output_failed', `${folder} cannot be written: ${messageOf(error)}`);
  }
  if (unlock === null) throw new VadeError('file_locked', `another process is writing ${folder}`);
  return unlock;
}

/** What a writer that was killed left half done. */
export function sweep(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith(SCRATCH)) remove(join(folder, name));
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
