import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';

/** How the names begin of what is not finished yet. */
export const SCRATCH = '.tmp-';

/** A name beside a path that nobody else uses: process ids repeat from one container to the next. */
export function scratchFor(path: string): string {
  return join(dirname(path), `${SCRATCH}${basename(path)}-${randomBytes(6).toString('hex')}`);
}

export interface FileOptions {
  /** Default: what the process's umask leaves. */
  readonly mode?: number;
  /** Whether folders on the way are made. Default: no, a name may be mistaken. */
  readonly folders?: boolean;
}

/**
 * Replaces a file whole: after a crash or a loss of power its old bytes stand under the name, or the new ones.
 *
 * @throws output_failed
 */
export function replaceFile(path: string, bytes: Buffer | string, options: FileOptions = {}): void {
  place(path, bytes, options, renameSync);
}

/** Makes a file that must not be there yet, whole or not at all. @throws already_exists, output_failed */
export function createFile(path: string, bytes: Buffer | string, options: FileOptions = {}): void {
  place(path, bytes, options, moveNew);
}

/** Gives a finished file its name, unless something has it. @throws Error with the code EEXIST */
export function moveNew(scratch: string, path: string): void {
  linkSync(scratch, path);
  rmSync(scratch);
}

function place(
  path: string,
  bytes: Buffer | string,
  { mode, folders = false }: FileOptions,
  move: (scratch: string, path: string) => void,
): void {
  const scratch = scratchFor(path);
  try {
    if (folders) mkdirSync(dirname(path), { recursive: true });
    writeDurably(scratch, bytes, mode);
    move(scratch, path);
    syncFolder(dirname(path));
  } catch (error) {
    discard(scratch);
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(path);
    const message = isTaken ? `${path} exists` : `${path} cannot be written: ${messageOf(error)}`;
    throw new VadeError(isTaken ? 'already_exists' : 'output_failed', message);
  }
}

/** Below what is no folder nothing was made, and asking to remove it is an error of its own. */
function discard(scratch: string): void {
  try {
    rmSync(scratch, { force: true });
  } catch {
    // why it could not be written is what the caller has to hear
  }
}

/** Writes files and their folders below a folder of the caller's own, all on the disk when it returns. */
export function writeTree(folder: string, files: ReadonlyMap<string, Buffer>): void {
  const folders = new Set([folder]);
  for (const [name, bytes] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeDurably(path, bytes);
    for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at);
  }
  for (const it of folders) syncFolder(it);
}

/** Writes a new file, on the disk when it returns. @throws Error where it is there, or the disk refuses */
export function writeDurably(path: string, bytes: Buffer | string, mode?: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    const all = Buffer.from(bytes);
    for (let at = 0; at < all.length;) at += writeSync(file, all, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Puts a file that somebody else wrote on the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** File systems that keep no folders of their own, or need no telling, answer one of these. */
const NOT_NEEDED = ['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR'];

/** Puts names on the disk: without it, a loss of power may undo a rename whose file is safe. */
export function syncFolder(path: string): void {
  let folder: number | null = null;
  try {
    folder = openSync(path, constants.O_RDONLY);
    fsyncSync(folder);
  } catch (error) {
    if (!NOT_NEEDED.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    if (folder !== null) closeSync(folder);
  }
}
