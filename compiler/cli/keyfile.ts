import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { messageOf, VadeError } from '../model/errors.ts';
import { KeyFile, type KeyRecord } from '../model/key.ts';

/** The keys of a file; none where there is no file yet. @throws request_invalid for a file of another kind */
export function readKeyFile(path: string): KeyRecord[] {
  if (!existsSync(path)) return [];
  try {
    return KeyFile.parse(JSON.parse(readFileSync(path, 'utf8'))).keys;
  } catch {
    throw new VadeError('request_invalid', `${path} is no key file`);
  }
}

/** Replaces a key file whole; only its owner may read it. @throws output_failed */
export function writeKeyFile(path: string, keys: readonly KeyRecord[]): void {
  const scratch = `${path}.tmp-${process.pid}`;
  try {
    writeFileSync(scratch, `${JSON.stringify({ format: 1, keys }, null, 2)}\n`, { mode: 0o600 });
    renameSync(scratch, path);
  } catch (error) {
    throw new VadeError('output_failed', `${path} cannot be written: ${messageOf(error)}`);
  }
}
