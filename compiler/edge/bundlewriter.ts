import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  KEPT_ROOTS,
  MAX_ENVELOPE_BYTES,
  MAX_FILE_BYTES,
  RootStatement,
  type Bundle,
  type RootEntry,
} from '../model/bundle.ts';
import { messageOf, VadeError } from '../model/errors.ts';
import { GardenStatement, IN_TOTO_TYPE, type Garden } from '../model/garden.ts';
import { refuse } from '../model/refusal.ts';
import { assertSubject } from '../trust/attest.ts';
import { sha256 } from '../trust/canonical.ts';
import { peekPayload } from '../trust/dsse.ts';
import { CURRENT, GARDEN_ENVELOPE, gardenFolder, ROOT_ENVELOPE } from './bundle.ts';
import { readCapped, readTree } from './tree.ts';

const LOCK = '.lock';
const MAX_LOCK_BYTES = 200;
const SCRATCH = '.tmp-';

/**
 * Writes a bundle beside what is there: gardens and root first, each moved into place whole, then
 * `current` by one rename. Until that rename the old bundle is untouched, whatever happens.
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
): void {
  const unlock = lock(folder);
  try {
    if (isOvertaken()) return;
    sweep(folder);
    for (const garden of bundle.grown) placeGrown(folder, garden);
    for (const garden of bundle.kept) placeKept(folder, garden, previous ?? folder);
    const place = join(folder, 'roots', bundle.revision);
    if (!existsSync(place))
      placeFolder(folder, place, (scratch) => {
        writeFiles(scratch, bundle.files);
      });
    replaceCurrent(folder, bundle.revision);
    collect(folder, bundle.revision);
  } catch (error) {
    sweep(folder);
    if (error instanceof VadeError) throw error;
    throw new VadeError('output_failed', `${folder} cannot be written: ${messageOf(error)}`);
  } finally {
    unlock();
  }
}

function placeGrown(folder: string, garden: Garden): void {
  const place = gardenFolder(folder, garden.name, garden.digest);
  if (existsSync(place)) return;
  placeFolder(folder, place, (scratch) => {
    writeFiles(scratch, new Map([...garden.files, [GARDEN_ENVELOPE, garden.envelope]]));
  });
}

/** Copies a garden of an earlier bundle; only what was signed is carried over. */
function placeKept(folder: string, { garden, digest }: RootEntry, previous: string): void {
  const place = gardenFolder(folder, garden, digest);
  if (existsSync(place)) return;
  const files = readTree(gardenFolder(previous, garden, digest), MAX_FILE_BYTES);
  const envelope = files.get(GARDEN_ENVELOPE);
  if (!envelope || sha256(envelope) !== digest)
    throw refuse('digest_mismatch', `garden ${garden} of the previous bundle is damaged`);
  const { subject } = GardenStatement.parse(JSON.parse(peekPayload(envelope, IN_TOTO_TYPE).toString('utf8')));
  const subjects = new Map(subject.map((it) => [it.name, it]));
  for (const [name, bytes] of files) if (name !== GARDEN_ENVELOPE) assertSubject(subjects, name, bytes);
  const signed = subject.filter((it) => it.annotations).length;
  if (files.size !== signed + 1) throw refuse('file_missing', `garden ${garden} of the previous bundle misses files`);
  placeFolder(folder, place, (scratch) => {
    writeFiles(scratch, files);
  });
}

/** Fills a scratch folder and moves it to its place in one step; a damaged one that stands there gives way first. */
export function placeFolder(folder: string, place: string, fill: (scratch: string) => void): void {
  const scratch = join(folder, `${SCRATCH}${randomBytes(6).toString('hex')}`);
  mkdirSync(scratch);
  fill(scratch);
  mkdirSync(dirname(place), { recursive: true });
  const damaged = `${scratch}-damaged`;
  if (existsSync(place)) renameSync(place, damaged);
  renameSync(scratch, place);
  remove(damaged);
}

function writeFiles(folder: string, files: ReadonlyMap<string, Buffer>): void {
  for (const [name, bytes] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
}

function replaceCurrent(folder: string, revision: string): void {
  const scratch = join(folder, `${SCRATCH}${CURRENT}`);
  const file = openSync(scratch, 'w');
  writeSync(file, `${revision}\n`);
  fsyncSync(file);
  closeSync(file);
  renameSync(scratch, join(folder, CURRENT));
}

/** Keeps the newest roots that can be read and what they name; everything else goes. */
export function collect(folder: string, current: string): void {
  const roots = readdirSync(join(folder, 'roots')).sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  const readable = roots.filter((it) => it !== current && gardensOf(folder, it) !== null);
  const kept = [current, ...readable].slice(0, KEPT_ROOTS);
  for (const root of roots) if (!kept.includes(root)) remove(join(folder, 'roots', root));
  const named = new Set(kept.flatMap((root) => gardensOf(folder, root) ?? []));
  for (const garden of readdirSync(join(folder, 'gardens'))) {
    const place = join(folder, 'gardens', garden);
    const versions = readdirSync(place);
    const stale = versions.filter((digest) => !named.has(`${garden}/${digest}`));
    for (const digest of stale) remove(join(place, digest));
    if (stale.length === versions.length) remove(place);
  }
}

/** What a root names, or null where it is damaged. It only decides what to keep, so its signature is not asked. */
function gardensOf(folder: string, root: string): string[] | null {
  try {
    const payload = peekPayload(
      readCapped(join(folder, 'roots', root, ROOT_ENVELOPE), MAX_ENVELOPE_BYTES),
      IN_TOTO_TYPE,
    );
    const { predicate } = RootStatement.parse(JSON.parse(payload.toString('utf8')));
    return predicate.gardens.map(({ garden, digest }) => `${garden}/${digest}`);
  } catch {
    return null;
  }
}

/** One writer at a time; the lock of a process that is gone does not count. @throws file_locked, output_failed */
export function lock(folder: string): () => void {
  const path = join(folder, LOCK);
  const claim = join(folder, `${LOCK}-${randomBytes(6).toString('hex')}`);
  try {
    mkdirSync(folder, { recursive: true });
    if (existsSync(path) && !isAlive(writerOf(path))) remove(path);
    // a link appears with its content in one step: a lock without an id is never a live one
    writeFileSync(claim, String(process.pid));
    linkSync(claim, path);
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(path);
    if (taken) throw new VadeError('file_locked', `another process is writing ${folder}`);
    throw new VadeError('output_failed', `${folder} cannot be written: ${messageOf(error)}`);
  } finally {
    if (existsSync(claim)) remove(claim);
  }
  return () => {
    remove(path);
  };
}

/** The process that a lock names; none for one that is damaged, or no file at all. */
function writerOf(path: string): number {
  try {
    return Number(readCapped(path, MAX_LOCK_BYTES).toString('utf8'));
  } catch {
    return Number.NaN;
  }
}

/** Writing is one step of this process: a lock with its own id is another's, from before or from elsewhere. */
function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** What a writer that was killed left half done. */
export function sweep(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith(SCRATCH)) remove(join(folder, name));
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
