import { statSync } from 'node:fs';
import type { KeyRecord } from '../../compiler/schema/source/key-file.ts';
import { matchKey } from '../../compiler/trust/keys.ts';
import { readKeyFile } from '../../compiler/world/key-file.ts';

/** The opaque keys in force. */
export interface Keyring {
  /** The record of a presented key; null for an unknown one. */
  readonly find: (presented: string) => KeyRecord | null;
  /** Whether the file was readable at its last change. */
  readonly isReadable: () => boolean;
  readonly end: () => void;
}

const POLL_MS = 250;

/**
 * The keys of `keys.json`; a change to the file, such as a revocation, takes effect within a second. If the file
 * becomes unreadable, the last readable keys stay in force.
 */
export function openKeyring(path: string, onBroken: (error: unknown) => void): Keyring {
  let stamp = stampOf(path);
  let records = readKeys(path);
  let isReadable = true;
  const timer = setInterval(() => {
    const now = stampOf(path);
    if (now === stamp) return;
    stamp = now;
    try {
      records = readKeys(path);
      isReadable = true;
    } catch (error) {
      isReadable = false;
      onBroken(error);
    }
  }, POLL_MS).unref();
  return {
    find: (presented) => matchKey(presented, records),
    isReadable: () => isReadable,
    end: () => {
      clearInterval(timer);
    },
  };
}

/** Changes whenever the file does; empty without a file. */
function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat ? `${stat.mtimeNs} ${stat.size} ${stat.ino}` : '';
}

/** @throws request_invalid */
function readKeys(path: string): ReadonlyMap<string, KeyRecord> {
  return new Map(readKeyFile(path).map((record) => [record.id, record]));
}
