import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { orNull } from '../../schema/or-null.ts';
import { refuse } from '../../schema/refusals.ts';
import { readIfThere, readRegular } from './file.ts';

/**
 * Every regular file below a folder, by path with `/`; refuses anything else.
 *
 * @param known path of a file to leave out, since it was read already
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
  } catch (error) {
    throw Object.assign(refuse('file_unreadable', `${folder} cannot be read`), { cause: error });
  }
}

/** The names in a folder; empty if there is none. */
export function listNames(folder: string): string[] {
  return orNull(() => readdirSync(folder)) ?? [];
}

/** Removes a file, or a folder with everything below it, if it is there. */
export function removeTree(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** A stamp that changes whenever a file may have changed; empty if there is none. Reads only metadata. */
export function stampFile(path: string): string {
  const stat = statOf(path);
  return stat ? `${stat.mtimeMs} ${stat.ctimeMs} ${stat.size} ${stat.ino}` : '';
}

/** The stamp of a folder and everything below it. */
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

/** Untrusted input: reads a regular file up to a limit, not through a symbolic link. @throws bundle_unverified */
export function readCapped(path: string, limit: number): Buffer {
  try {
    return readRegular(path, limit, 'refuse');
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The same; null if there is no such file. @throws bundle_unverified */
export function readCappedIfThere(path: string, limit: number): Buffer | null {
  try {
    return readIfThere(path, limit, 'refuse');
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): VadeError {
  const { code, message } = error as NodeJS.ErrnoException;
  const told = code === undefined ? message : `${path} cannot be read: ${code}`;
  return Object.assign(refuse('file_unreadable', told), { cause: error });
}

/** The system's codes for: this process, or the whole system, can open no more files. */
const EXHAUSTED = ['EMFILE', 'ENFILE', 'ENOMEM'];

/**
 * Rethrows an error that says nothing about the file that was read: a writer would treat the file as damaged, and
 * remove it.
 *
 * @throws output_failed
 */
export function assertNotExhausted(error: unknown): void {
  const { code } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
  if (code !== undefined && EXHAUSTED.includes(code))
    throw new VadeError('output_failed', `${messageOf(error)}: ${code}`);
}
