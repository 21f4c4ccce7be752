import { setTimeout } from 'node:timers/promises';
import { replaceFile } from '../io/files/durable.ts';
import { readIfThere } from '../io/files/file.ts';
import { takeLock } from '../io/files/lock.ts';
import { removeScratchOf } from '../io/files/only-writer.ts';
import { messageOf, VadeError } from '../schema/errors.ts';
import { KeyFile, MAX_KEY_FILE_BYTES, notKeyFile, type KeyRecord } from '../schema/source/key-file.ts';

/** The keys of a file; empty if there is no file yet. @throws request_invalid for a file of another kind */
export function readKeyFile(path: string): KeyRecord[] {
  try {
    const bytes = readIfThere(path, MAX_KEY_FILE_BYTES);
    return bytes === null ? [] : KeyFile.parse(JSON.parse(bytes.toString('utf8'))).keys;
  } catch {
    throw notKeyFile(path);
  }
}

/**
 * Changes a key file: one writer at a time, by replacing the file, which only its owner may read.
 *
 * @throws request_invalid, file_locked, output_failed
 */
export async function changeKeyFile(path: string, change: (keys: KeyRecord[]) => KeyRecord[]): Promise<void> {
  const unlock = await lock(`${path}.lock`);
  try {
    removeScratchOf(path);
    writeKeyFile(path, change(readKeyFile(path)));
  } finally {
    unlock();
  }
}

/** Replaces a key file; only its owner may read it. @throws output_failed */
export function writeKeyFile(path: string, keys: readonly KeyRecord[]): void {
  replaceFile(path, `${JSON.stringify({ format: 1, keys }, null, 2)}\n`, { mode: 0o600 });
}

const TRIES = 100;
const WAIT_MS = 50;

async function lock(path: string): Promise<() => void> {
  for (let tries = 0; tries < TRIES; tries++) {
    const unlock = takeIfFree(path);
    if (unlock !== null) return unlock;
    await setTimeout(WAIT_MS);
  }
  throw new VadeError('file_locked', `another process holds ${path}`);
}

function takeIfFree(path: string): (() => void) | null {
  try {
    return takeLock(path);
  } catch (error) {
    throw new VadeError('output_failed', `${path} cannot be written: ${messageOf(error)}`);
  }
}
