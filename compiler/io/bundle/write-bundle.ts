import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { KEPT_ROOTS, MAX_FILE_BYTES, type Bundle, type RootEntry } from '../../schema/bundle/bundle.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { refuse } from '../../schema/refusals.ts';
import { replaceFile, SCRATCH_PREFIX } from '../files/durable.ts';
import { takeLock } from '../files/lock.ts';
import { mustLock, removeScratch } from '../files/only-writer.ts';
import { listNames, readTree, removeTree } from '../files/tree.ts';
import { damageAt, damageIn, gardenPlace, gardensNamed, rootPlace, type Damage } from './damage.ts';
import { CURRENT, currentRevision, GARDEN_ENVELOPE, gardenFolder } from './open-bundle.ts';
import { placeFolders, type Placed } from './place-folders.ts';
import { boundSuperseded, supersede } from './superseded-manifests.ts';
import { orNull } from '../../schema/or-null.ts';

const LOCK = '.lock';

/** The result of writing a bundle, or of a dry run. */
export interface BundleWrite {
  readonly effect: 'created' | 'updated' | 'noop';
  /** Damaged parts of this bundle, which are written again. */
  readonly repaired: readonly Damage[];
  /** Damaged parts of older roots, which this bundle cannot repair, since it does not have their bytes. */
  readonly damaged: readonly Damage[];
}

/** Checks every byte of a bundle's folder; writes nothing. */
export function examineBundle(folder: string, bundle: Bundle): BundleWrite {
  return examine(folder, bundle).written;
}

function examine(folder: string, { revision, statement }: Bundle) {
  const known = new Map<string, Damage['reason'] | null>();
  const wrong = damageIn(folder, revision, statement.predicate.gardens, known);
  const [current, ...older] = keptRoots(folder, listNames(join(folder, 'roots')), revision);
  const damaged = older.flatMap((it) => damageIn(folder, it, gardensNamed(folder, it) ?? [], known));
  const isWritten = isCurrent(folder, current);
  const effect = !isWritten ? 'created' : wrong.length > 0 ? 'updated' : 'noop';
  // most files of a bundle that is not current yet are absent, which is not damage
  const repaired = wrong.filter(({ reason }) => isWritten || reason !== 'absent');
  const places = new Set(wrong.map(({ place }) => place));
  const written: BundleWrite = { effect, repaired, damaged: damaged.filter(({ place }) => !places.has(place)) };
  return { written, wrong: places };
}

/** Whether a folder's current bundle has this revision; no byte of it is checked. */
export function isCurrent(folder: string, revision: string | undefined): boolean {
  return orNull(() => currentRevision(folder) === revision) ?? false;
}

/**
 * Writes a bundle: first the gardens and the root, each synced to the disk and renamed into place, then `current` by
 * one rename. Until that rename the old bundle is unchanged, whatever happens. Existing files are compared byte by
 * byte, and written again if they are damaged.
 *
 * @param previous folder of the bundle that reused gardens come from
 * @param isOvertaken called under the write lock; if it returns true, nothing is written
 * @throws file_locked, output_failed
 */
export function writeBundle(
  folder: string,
  bundle: Bundle,
  previous: string | null,
  isOvertaken: () => boolean = () => false,
): BundleWrite {
  const unlock = lock(folder);
  try {
    if (isOvertaken()) return { effect: 'noop', repaired: [], damaged: [] };
    removeScratch(folder);
    const { written, wrong } = examine(folder, bundle);
    placeBundle(folder, bundle, previous, wrong);
    if (written.effect === 'created') replaceFile(join(folder, CURRENT), `${bundle.revision}\n`);
    collect(folder, bundle.revision);
    return written;
  } catch (error) {
    tidy(folder);
    if (error instanceof VadeError) throw error;
    throw new VadeError('output_failed', `${folder} cannot be written: ${messageOf(error)}`);
  } finally {
    unlock();
  }
}

/** Writes what is missing or damaged; the root comes last, so that everything it names is on the disk. */
function placeBundle(folder: string, bundle: Bundle, previous: string | null, wrong: ReadonlySet<string>): void {
  const { built, capabilities } = bundle;
  const gardens: Placed[] = [];
  for (const { name, digest, files, envelope } of [...built, ...(capabilities ? [capabilities] : [])]) {
    const place = gardenPlace(name, digest);
    if (wrong.has(place)) gardens.push({ place: join(folder, place), files: () => new Map([...files, [GARDEN_ENVELOPE, envelope]]) });
  }
  for (const entry of bundle.kept) {
    const place = gardenPlace(entry.garden, entry.digest);
    if (wrong.has(place)) gardens.push({ place: join(folder, place), files: () => readKept(entry, previous ?? folder) });
  }
  placeFolders(folder, gardens);
  const root = rootPlace(bundle.revision);
  if (wrong.has(root)) placeFolders(folder, [{ place: join(folder, root), files: () => bundle.files }]);
}

/** The files of a garden of an earlier bundle, if they are as signed. */
function readKept({ garden, digest }: RootEntry, previous: string): Map<string, Buffer> {
  const place = gardenFolder(previous, garden, digest);
  const reason = damageAt(place, GARDEN_ENVELOPE, digest);
  if (reason === null) return readTree(place, MAX_FILE_BYTES);
  const why = reason === 'absent' ? 'file_missing' : reason;
  throw refuse(why, `garden ${garden} of the previous bundle was damaged while it was reused: compile again`);
}

/** The current root and the newest before it that can be read. */
function keptRoots(folder: string, roots: readonly string[], current: string): string[] {
  const newest = roots.toSorted((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  const readable = newest.filter((it) => it !== current && gardensNamed(folder, it) !== null);
  return [current, ...readable].slice(0, KEPT_ROOTS);
}

/** Keeps the newest readable roots, their gardens, and the manifests of other gardens; removes everything else. */
export function collect(folder: string, current: string): void {
  // listed once: if a first listing failed, a second one would remove everything
  const roots = readdirSync(join(folder, 'roots'));
  const kept = keptRoots(folder, roots, current);
  for (const root of roots) if (!kept.includes(root)) removeTree(join(folder, rootPlace(root)));
  const named = new Set(kept.flatMap((root) => gardensNamed(folder, root) ?? []).map(keyOf));
  for (const garden of readdirSync(join(folder, 'gardens'))) {
    const place = join(folder, 'gardens', garden);
    const versions = readdirSync(place);
    const stale = versions.filter((digest) => !named.has(keyOf({ garden, digest })));
    if (stale.length === versions.length) removeTree(place);
    else for (const digest of stale) supersede(folder, garden, digest);
  }
  boundSuperseded(folder, new Set(readdirSync(join(folder, 'gardens'))));
}

const keyOf = ({ garden, digest }: Pick<RootEntry, 'garden' | 'digest'>) => `${garden}/${digest}`;

/**
 * Takes the write lock of a bundle's folder; the kernel releases it when the process ends.
 *
 * @throws file_locked, output_failed
 */
export function lock(folder: string): () => void {
  return mustLock(join(folder, LOCK), `another process is writing ${folder}`);
}

/**
 * Removes files that a killed writer left beside an intact bundle, as far as possible: nothing while another process
 * writes, nor in a folder that cannot be written. A folder without such files is not touched.
 */
export function clearLeftovers(folder: string): void {
  if (!readdirSync(folder).some((it) => it === LOCK || it.startsWith(SCRATCH_PREFIX))) return;
  try {
    const unlock = takeLock(join(folder, LOCK));
    if (unlock === null) return;
    tidy(folder);
    unlock();
  } catch {
    // the next writer sweeps
  }
}

/** Sweeps after a failure as far as possible: the caller needs the error of the failure, not of the sweep. */
export function tidy(folder: string): void {
  try {
    removeScratch(folder);
  } catch {
    // the next writer sweeps
  }
}
