import { replaceFile } from '../io/files/durable.ts';
import { readIfThere } from '../io/files/file.ts';
import { asOnlyWriterOf } from '../io/files/only-writer.ts';
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
export function changeKeyFile(path: string, change: (keys: KeyRecord[]) => KeyRecord[]): void {
  const write = () => {
    writeKeyFile(path, change(readKeyFile(path)));
  };
  asOnlyWriterOf([path], write, false);
}

/** Replaces a key file; only its owner may read it. @throws output_failed */
export function writeKeyFile(path: string, keys: readonly KeyRecord[]): void {
  replaceFile(path, `${JSON.stringify({ format: 1, keys }, null, 2)}\n`, { mode: 0o600 });
}
