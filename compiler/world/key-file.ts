import { replaceFile } from '../io/files/durable.ts';
import { readIfThere } from '../io/files/file.ts';
import { asOnlyWriterOf } from '../io/files/only-writer.ts';
import { messageOf, VadeError } from '../schema/errors.ts';
import { orNull } from '../schema/or-null.ts';
import { currentKeys, KeyFile, MAX_KEY_FILE_BYTES, type KeyRecord } from '../schema/source/key-file.ts';
import { textOfFile } from '../schema/text-file.ts';

/** The keys of a file; empty if there is no file yet. @throws request_invalid for a file of another kind */
export function readKeyFile(path: string): KeyRecord[] {
  const bytes = readBytes(path);
  if (bytes === null) return [];
  // the parser's own message would quote the keys
  const file = orNull(() => KeyFile.parse(JSON.parse(textOfFile(bytes))));
  if (file !== null) return file.keys;
  const help = 'move it elsewhere, and create new keys with vade key create';
  throw new VadeError('request_invalid', `${path} is not a key file of this version: ${help}`);
}

function readBytes(path: string): Buffer | null {
  try {
    return readIfThere(path, MAX_KEY_FILE_BYTES);
  } catch (error) {
    throw new VadeError('request_invalid', `the key file cannot be read: ${messageOf(error)}`);
  }
}

/** How a key file is changed. */
interface KeyFileChange {
  readonly now: Date;
  /** Only checks whether the change could be made. */
  readonly isDry?: boolean;
  /** The most bytes of the changed file. */
  readonly limit?: number;
}

/**
 * Changes a key file: one writer at a time, by replacing the file, which only its owner may read.
 *
 * @returns how many keys were dropped, because they were revoked long ago
 * @throws request_invalid, file_locked, output_failed
 */
export function changeKeyFile(
  path: string,
  { now, isDry = false, limit = MAX_KEY_FILE_BYTES }: KeyFileChange,
  change: (keys: KeyRecord[]) => KeyRecord[],
): number {
  const apply = () => {
    const changed = change(readKeyFile(path));
    const kept = currentKeys(changed, now);
    assertFits(path, kept, limit);
    if (!isDry) writeKeyFile(path, kept);
    return changed.length - kept.length;
  };
  return isDry ? apply() : asOnlyWriterOf([path], apply, false);
}

/** Replaces a key file; only its owner may read it. @throws output_failed */
export function writeKeyFile(path: string, keys: readonly KeyRecord[]): void {
  replaceFile(path, textOf(keys), { mode: 0o600, limit: MAX_KEY_FILE_BYTES });
}

/** @throws output_failed */
function assertFits(path: string, keys: readonly KeyRecord[], limit: number): void {
  const size = Buffer.byteLength(textOf(keys));
  if (size <= limit) return;
  const message = `${path} would have ${keys.length} keys and ${size} bytes; at most ${limit} are allowed`;
  const suggestion = 'revoke keys that are not used: 30 days after its revocation a key is dropped';
  throw new VadeError('output_failed', message, { suggestion });
}

function textOf(keys: readonly KeyRecord[]): string {
  return `${JSON.stringify({ format: 1, keys }, null, 2)}\n`;
}
