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
import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import type { Links } from './file.ts';
import { assertOwnWay } from './own-way.ts';

/** The prefix of names of unfinished files. */
export const SCRATCH_PREFIX = '.tmp-';

/** A unique name beside a path; random, since process IDs repeat across containers. */
export function scratchFor(path: string): string {
  return join(dirname(path), `${SCRATCH_PREFIX}${basename(path)}-${randomBytes(6).toString('hex')}`);
}

export interface FileOptions {
  /** Default: 0o666, minus the umask. */
  readonly mode?: number;
  /** Whether missing folders are created. Default: no, since the path may be a mistake. */
  readonly folders?: boolean;
  /** Whether links to folders of a working tree are followed: an operator may keep state there. Default: no. */
  readonly links?: Links;
  /** The most bytes that the reader of the file reads; more are refused before anything is written. */
  readonly limit?: number;
}

/**
 * Replaces a file atomically: after a crash or a power failure it has its old content or the new one.
 *
 * @throws output_failed
 */
export function replaceFile(path: string, bytes: Buffer | string, options: FileOptions = {}): void {
  place(path, bytes, options, renameSync);
}

/** Creates a file atomically; it must not exist. @throws already_exists, output_failed */
export function createFile(path: string, bytes: Buffer | string, options: FileOptions = {}): void {
  place(path, bytes, options, moveNew);
}

/** Renames a finished file, unless the name is taken. @throws Error with the code EEXIST */
export function moveNew(scratch: string, path: string): void {
  linkSync(scratch, path);
  rmSync(scratch);
}

function place(
  path: string,
  bytes: Buffer | string,
  { mode, folders = false, links = 'refuse', limit = Infinity }: FileOptions,
  move: (scratch: string, path: string) => void,
): void {
  const size = Buffer.byteLength(bytes);
  if (size > limit) throw new VadeError('output_failed', `${path} ${tooLarge(size, limit)}`);
  if (links === 'refuse') assertOwnWay(path);
  const scratch = scratchFor(path);
  try {
    if (folders) mkdirSync(dirname(path), { recursive: true });
    writeDurably(scratch, bytes, mode);
    move(scratch, path);
    syncFolder(dirname(path));
  } catch (error) {
    discard(scratch);
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST' && existsSync(path);
    const message = isTaken ? `${path} already exists` : `${path} cannot be written: ${messageOf(error)}`;
    throw new VadeError(isTaken ? 'already_exists' : 'output_failed', message);
  }
}

/** The fault of a file that its own reader would refuse. */
export function tooLarge(size: number, limit: number): string {
  return `would have ${size} bytes; at most ${limit} can be read again`;
}

/** Removes a scratch file. If its parent is not a folder, removing it is an error too, which does not matter. */
function discard(scratch: string): void {
  try {
    rmSync(scratch, { force: true });
  } catch {
    // the caller reports why the file could not be written
  }
}

/** Writes a new file and syncs it to the disk. @throws Error if it exists or cannot be written */
export function writeDurably(path: string, bytes: Buffer | string, mode?: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    writeAll(file, Buffer.from(bytes));
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Writes all bytes into an open file. */
export function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}

/** Syncs an existing file to the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Error codes of file systems that cannot sync a folder or need not. */
const NOT_NEEDED = ['EINVAL', 'ENOTSUP', 'EPERM', 'EISDIR'];

/** Syncs the names in a folder: without it, a power failure may undo a rename although the file itself is safe. */
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

/** Folders that are synced again and again. */
export interface OpenFolders {
  /** All at once: most file systems then write one journal for all of them. */
  readonly sync: () => Promise<void>;
  /** Waits for a sync that has begun. */
  readonly close: () => Promise<void>;
}

/** Opens folders to sync the names in them. @throws Error if one cannot be opened */
export async function openFolders(paths: readonly string[]): Promise<OpenFolders> {
  const folders = await Promise.all(paths.map((path) => open(path, constants.O_RDONLY)));
  const syncOne = async (folder: FileHandle) => {
    try {
      await folder.sync();
    } catch (error) {
      if (!NOT_NEEDED.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  };
  return {
    sync: async () => {
      await Promise.all(folders.map(syncOne));
    },
    close: async () => {
      await Promise.all(folders.map((it) => it.close()));
    },
  };
}
