import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoundAgent } from '../../schema/capability/binding.ts';
import type { Store } from './caller.ts';
import { readBinding, readKey } from './read-binding.ts';

/** The bindings and the state of a repository, in `<git-common-dir>/vade`. @param fingerprint of the orchestrator's key */
export function diskStore(folder: string, fingerprint: string): Store {
  const bindings = new Map<string, BoundAgent | null>();
  const load = (id: string) => {
    const bytes = readIfThere(join(folder, 'bindings', `${id}.json`));
    if (bytes === null) return null;
    const pem = readFileSync(join(folder, 'orchestrator.pem'), 'utf8');
    return readBinding(bytes, readKey(pem, fingerprint), fingerprint);
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

/** Appends what is only advised. A log that cannot be written stops no call: nothing was to be stopped. */
export function appendLog(folder: string, lines: readonly string[]): void {
  try {
    if (lines.length > 0) appendFileSync(join(folder, 'advisory.log'), `${lines.join('\n')}\n`);
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
