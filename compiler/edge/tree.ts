import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from '../model/refusal.ts';

/**
 * Every regular file below a folder, by path with `/`; anything else there is a refusal.
 *
 * @param known a file that was read already, and is left out
 */
export function readTree(folder: string, limit: number, known = '', prefix = ''): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const entry of listFolder(`${folder}/${prefix}`)) {
    const path = `${prefix}${entry.name}`;
    if (path === known) continue;
    if (entry.isDirectory())
      for (const [name, bytes] of readTree(folder, limit, known, `${path}/`)) files.set(name, bytes);
    else if (entry.isFile()) files.set(path, readCapped(`${folder}/${path}`, limit));
    else throw refuse('file_unexpected', `${path} is not a file`);
  }
  return files;
}

function listFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    throw refuse('file_unreadable', `${folder} cannot be read`);
  }
}

/** The names in a folder; none where there is no such folder. */
export function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Changes whenever a file may have; empty where there is none to be seen. Costs no reading. */
export function stampFile(path: string): string {
  const stat = statOf(path);
  return stat ? `${stat.mtimeMs} ${stat.ctimeMs} ${stat.size} ${stat.ino}` : '';
}

/** The same of a folder and all that is below it. */
export function stampTree(folder: string): string {
  const inside = statOf(folder)?.isDirectory() === true ? listNames(folder).sort() : [];
  return [stampFile(folder), ...inside.map((name) => `${name} ${stampTree(join(folder, name))}`)].join('\n');
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Most files of a bundle fit, and are read without their size being asked. */
const SCRATCH = Buffer.allocUnsafeSlow(65_536);

/** Untrusted input: never more is read than the limit, and the size of what is large is asked first. */
export function readCapped(path: string, limit: number): Buffer {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const start = readSync(file, SCRATCH, 0, SCRATCH.length, 0);
    if (start < SCRATCH.length && start <= limit) return copyOf(start);
    // asked of the open file: what a path names can change in between
    const { size } = fstatSync(file);
    if (size <= limit) return readWhole(file, size);
  } catch {
    throw refuse('file_unreadable', `${path} cannot be read`);
  } finally {
    if (file !== null) closeSync(file);
  }
  throw refuse('file_unreadable', `${path} is larger than anything that is read`);
}

function copyOf(size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  SCRATCH.copy(bytes, 0, 0, size);
  return bytes;
}

/** What the file held when its size was asked; one that grows meanwhile differs from what was signed in any case. */
function readWhole(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (let read = -1; at < size && read !== 0; at += read) read = readSync(file, bytes, at, size - at, at);
  return bytes.subarray(0, at);
}
