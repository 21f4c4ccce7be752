import { randomBytes } from 'node:crypto';
import {
  closeSync,
  cpSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { KEPT_ROOTS, RootStatement, type Bundle, type RootEntry } from '../model/bundle.ts';
import { messageOf, VadeError } from '../model/errors.ts';
import { IN_TOTO_TYPE, type Garden } from '../model/garden.ts';
import { peekPayload } from '../trust/dsse.ts';
import { CURRENT, GARDEN_ENVELOPE, gardenFolder, ROOT_ENVELOPE } from './bundle.ts';

const LOCK = '.lock';
const SCRATCH = '.tmp-';

/**
 * Writes a bundle beside what is there: gardens and root first, each moved into place whole, then
 * `current` by one rename. Until that rename the old bundle is untouched, whatever happens.
 *
 * @param previous folder of the bundle that reused gardens come from
 * @throws file_locked, output_failed
 */
export function writeBundle(folder: string, bundle: Bundle, previous: string | null): void {
  const unlock = lock(folder);
  try {
    for (const name of readdirSync(folder)) if (name.startsWith(SCRATCH)) remove(join(folder, name));
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
    for (const name of readdirSync(folder)) if (name.startsWith(SCRATCH)) remove(join(folder, name));
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

function placeKept(folder: string, { garden, digest }: RootEntry, previous: string): void {
  const place = gardenFolder(folder, garden, digest);
  if (existsSync(place)) return;
  placeFolder(folder, place, (scratch) => {
    cpSync(gardenFolder(previous, garden, digest), scratch, { recursive: true });
  });
}

/** Fills a scratch folder and moves it to its place in one step. */
function placeFolder(folder: string, place: string, fill: (scratch: string) => void): void {
  const scratch = join(folder, `${SCRATCH}${randomBytes(6).toString('hex')}`);
  mkdirSync(scratch);
  fill(scratch);
  mkdirSync(dirname(place), { recursive: true });
  renameSync(scratch, place);
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

/** Keeps the newest roots and what they name; everything else goes. */
function collect(folder: string, current: string): void {
  const roots = readdirSync(join(folder, 'roots')).sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  const kept = [current, ...roots.filter((it) => it !== current)].slice(0, KEPT_ROOTS);
  for (const root of roots) if (!kept.includes(root)) remove(join(folder, 'roots', root));
  const named = new Set(kept.flatMap((root) => gardensOf(join(folder, 'roots', root, ROOT_ENVELOPE))));
  for (const garden of readdirSync(join(folder, 'gardens'))) {
    const place = join(folder, 'gardens', garden);
    const versions = readdirSync(place);
    const stale = versions.filter((digest) => !named.has(`${garden}/${digest}`));
    for (const digest of stale) remove(join(place, digest));
    if (stale.length === versions.length) remove(place);
  }
}

/** What a root names. It only decides what to keep, so its signature is not asked. */
function gardensOf(rootEnvelope: string): string[] {
  const payload = peekPayload(readFileSync(rootEnvelope), IN_TOTO_TYPE);
  const { predicate } = RootStatement.parse(JSON.parse(payload.toString('utf8')));
  return predicate.gardens.map(({ garden, digest }) => `${garden}/${digest}`);
}

/** One writer at a time; the lock of a process that is gone does not count. */
function lock(folder: string): () => void {
  const path = join(folder, LOCK);
  try {
    mkdirSync(folder, { recursive: true });
    if (existsSync(path) && !isAlive(Number(readFileSync(path, 'utf8')))) remove(path);
    writeFileSync(path, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(path)) {
      throw new VadeError('file_locked', `another process is writing ${folder}`);
    }
    throw new VadeError('output_failed', `${folder} cannot be written: ${messageOf(error)}`);
  }
  return () => {
    remove(path);
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
