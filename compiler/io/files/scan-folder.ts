import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { VadeError } from '../../schema/errors.ts';

/** An entry of a working tree as git would store it. */
export interface Scanned {
  /** Relative to the top, with `/`. */
  readonly path: string;
  readonly kind: 'file' | 'link' | 'repository';
  /** Bytes. */
  readonly size: number;
  /** Changes whenever the entry may have changed. */
  readonly stamp: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** Far above the number of files of any handbook; a dependency folder that fell into it has more. */
const MOST = 100_000;

/**
 * Lists a folder without reading a file: links are not followed, a nested repository is one entry, and entries that git
 * cannot store (pipes, sockets, devices) are left out. Entries that disappear meanwhile are left out too.
 *
 * @param ignored files and folders to leave out
 * @throws sources_invalid for more than 100,000 entries
 */
export function scanFolder(top: string, folder: string, ignored: ReadonlySet<string> = new Set()): Scanned[] {
  const found: Scanned[] = [];
  const waiting = [folder];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entry = ignored.has(path) ? null : scanPath(top, path);
    if (entry === 'folder') waiting.push(...namesIn(join(top, path)).map((name) => `${path}/${name}`));
    else if (entry !== null) found.push(entry);
    if (found.length + waiting.length > MOST) {
      throw new VadeError('sources_invalid', `${folder}/ has more than ${MOST} files`);
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** One entry; null if git cannot store it, or if there is none. */
export function scanPath(top: string, path: string): Scanned | 'folder' | null {
  const place = join(top, path);
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (!stat) return null;
  const about = { path, size: stat.size, stamp: stampOf(stat), modified: stat.mtimeMs };
  if (stat.isFile()) return { ...about, kind: 'file' };
  if (stat.isSymbolicLink()) return { ...about, kind: 'link' };
  if (!stat.isDirectory()) return null;
  return lstatSync(join(place, '.git'), { throwIfNoEntry: false }) ? { ...about, kind: 'repository' } : 'folder';
}

/** A change leaves another time of change, whatever the writer does to the time of modification. */
function stampOf({ ino, size, mode, mtimeMs, ctimeMs }: Stats): string {
  return [ino, size, mode, mtimeMs, ctimeMs].join(' ');
}

function namesIn(place: string): string[] {
  try {
    return readdirSync(place);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
