import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoundAgent } from '../../schema/capability/binding.ts';
import type { Store } from './caller.ts';
import { readKey } from './open-sealed.ts';
import { readBinding } from './read-binding.ts';
import { readPinnedRoot } from './read-root.ts';

/** Fingerprints on the hook's command line, with which bindings are verified. */
export interface Pins {
  /** Of the orchestrator's key. */
  readonly key: string;
  /** Of the file of the trust root. */
  readonly root: string;
}

/** Names of files in the folder, whose fingerprints are pinned. */
export const ORCHESTRATOR_FILE = 'orchestrator.pem';
export const ROOT_FILE = 'trust-root.json';

/** The bindings and the state of a repository, in `<git-common-dir>/vade`. @param now milliseconds since 1970 */
export function diskStore(folder: string, pins: Pins, now: number): Store {
  const bindings = new Map<string, BoundAgent | null>();
  const load = (id: string) => {
    const bytes = readIfThere(join(folder, 'bindings', `${id}.json`));
    if (bytes === null) return null;
    const orchestrator = readKey(readFileSync(join(folder, ORCHESTRATOR_FILE), 'utf8'), pins.key);
    const root = readPinnedRoot(readFileSync(join(folder, ROOT_FILE)), pins.root, now);
    return readBinding(bytes, { orchestrator, fingerprint: pins.key, root, now });
  };
  return {
    binding: (id) => {
      const known = bindings.get(id);
      if (known !== undefined) return known;
      const binding = load(id);
      bindings.set(id, binding);
      return binding;
    },
    read: (kind, name) =>
      readIfThere(join(folder, kind, name))
        ?.toString('utf8')
        .trim() ?? null,
    write: (kind, name, text) => {
      mkdirSync(join(folder, kind), { recursive: true });
      // whole or not at all: two calls may come at once
      const half = join(folder, kind, `.${name}.${process.pid}`);
      writeFileSync(half, `${text}\n`);
      renameSync(half, join(folder, kind, name));
    },
  };
}

/** A longer log replaces the earlier one, which is deleted: an agent must not fill the disk. */
const MAX_LOG_BYTES = 1024 * 1024;

/** Appends advisory findings. A log that cannot be written stops no call: an advisory finding stops none either. */
export function appendLog(folder: string, lines: readonly string[]): void {
  const log = join(folder, 'advisory.log');
  try {
    if (lines.length === 0) return;
    const text = `${lines.join('\n')}\n`;
    const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    if (size > 0 && size + Buffer.byteLength(text) > MAX_LOG_BYTES) renameSync(log, `${log}.1`);
    appendFileSync(log, text);
  } catch {
    // as said above
  }
}

/** The bytes of a file; null only if there is none. @throws if there is one and it cannot be read */
function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = (error as { readonly code?: unknown }).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
