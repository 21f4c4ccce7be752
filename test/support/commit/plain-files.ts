import { readdirSync, readFileSync, readlinkSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import type { TreeFile } from './loose-objects.ts';

/** A file of a working tree, and what git stores of it. */
export interface PlainFile extends Omit<TreeFile, 'blob'> {
  readonly content: Buffer;
}

/** Git stores larger ones in another way, or reads them in parts. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Settings of git and repositories within, by any spelling; names that git refuses, or of other bytes than UTF-8. */
const SPECIAL = /^\.git(?:|ignore|attributes|modules)$|^git~|[\\:\u{fffd}\p{C}]/iu;

/** All files below a folder; null where git would not just store each of them. */
export function plainFiles(path: string): PlainFile[] | null {
  const found: PlainFile[] = [];
  const open = [''];
  for (let folder; (folder = open.pop()) !== undefined;) {
    for (const entry of readdirSync(join(path, folder), { withFileTypes: true })) {
      const below = folder + entry.name;
      if (below === '.git' && entry.isDirectory()) continue;
      if (SPECIAL.test(entry.name)) return null;
      if (entry.isDirectory()) open.push(`${below}/`);
      else {
        const file = plainFile(path, below, entry);
        if (file === null) return null;
        found.push(file);
      }
    }
  }
  return found;
}

function plainFile(path: string, below: string, entry: Dirent): PlainFile | null {
  const place = join(path, below);
  if (entry.isSymbolicLink())
    return { path: below, mode: '120000', content: readlinkSync(place, { encoding: 'buffer' }) };
  if (!entry.isFile()) return null;
  const { mode, size } = statSync(place);
  if (size > MAX_BYTES) return null;
  return { path: below, mode: (mode & 0o100) === 0 ? '100644' : '100755', content: readFileSync(place) };
}
