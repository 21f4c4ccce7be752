import { statSync } from 'node:fs';
import { readIfThere } from '../../compiler/io/files/file.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { KeyFile, MAX_KEY_FILE_BYTES, type KeyRecord } from '../../compiler/schema/source/key-file.ts';
import { matchKey } from '../../compiler/trust/keys.ts';

/** The opaque keys that are in force. */
export interface Keyring {
  /** The record a presented key belongs to; null for anything else. */
  readonly find: (presented: string) => KeyRecord | null;
  readonly end: () => void;
}

const POLL_MS = 1000;

/**
 * The keys of `keys.json`; a change to the file, such as a revocation, counts within a second. A file
 * that cannot be read any more keeps the last keys that could.
 */
export function openKeyring(path: string, onBroken: (error: unknown) => void): Keyring {
  let stamp = stampOf(path);
  let records = readKeys(path);
  const timer = setInterval(() => {
    const now = stampOf(path);
    if (now === stamp) return;
    stamp = now;
    try {
      records = readKeys(path);
    } catch (error) {
      onBroken(error);
    }
  }, POLL_MS).unref();
  return {
    find: (presented) => matchKey(presented, records),
    end: () => {
      clearInterval(timer);
    },
  };
}

/** Changes whenever the file does; empty where there is none. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.mtimeNs} ${stat.size} ${stat.ino}` : '';
}

/** No file means that nobody has a key yet. @throws request_invalid */
function readKeys(path: string): ReadonlyMap<string, KeyRecord> {
  try {
    const bytes = readIfThere(path, MAX_KEY_FILE_BYTES);
    if (bytes === null) return new Map();
    const { keys } = KeyFile.parse(JSON.parse(bytes.toString('utf8')));
    return new Map(keys.map((record) => [record.id, record]));
  } catch {
    // the parser's own message would quote the file
    throw new VadeError('request_invalid', `${path} is no key file`);
  }
}
