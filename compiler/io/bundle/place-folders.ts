import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SCRATCH_PREFIX, syncFolder, writeAll } from '../files/durable.ts';
import { assertOwnWay } from '../files/own-way.ts';

/** A folder of a bundle: its path, and its files. */
export interface Placed {
  readonly place: string;
  readonly files: () => ReadonlyMap<string, Buffer>;
}

/** Number of files that are written before they are synced. */
const MOST_OPEN = 200;

/** Writes scratch folders, synced to the disk, and renames each into place; a damaged folder is moved away first. */
export function placeFolders(folder: string, all: readonly Placed[]): void {
  const scratches = all.map(({ place, files }) => {
    const scratch = join(folder, `${SCRATCH_PREFIX}${randomBytes(6).toString('hex')}`);
    return { place, scratch, files };
  });
  writeFolders(scratches);
  for (const { place, scratch } of scratches) {
    assertOwnWay(place);
    mkdirSync(dirname(place), { recursive: true });
    if (lstatSync(place, { throwIfNoEntry: false })) renameSync(place, `${scratch}-damaged`);
    renameSync(scratch, place);
  }
  for (const it of foldersAbove(folder, scratches)) syncFolder(it);
  for (const { scratch } of scratches) rmSync(`${scratch}-damaged`, { recursive: true, force: true });
}

/** The folders from those of renamed ones up to the bundle's, each after those below it. */
function foldersAbove(folder: string, renamed: readonly { readonly place: string }[]): string[] {
  const above = new Set<string>();
  for (const { place } of renamed) {
    for (let at = dirname(place); at.length >= folder.length; at = dirname(at)) above.add(at);
  }
  return [...above].sort((a, b) => b.length - a.length);
}

/**
 * Writes folders that nobody else writes to, and syncs them to the disk. Many files are written before the first is
 * synced: a file system then writes its journal for all of them at once. They stay open until then, since only the
 * handle that wrote a file is sure to report that the disk refused it.
 */
function writeFolders(all: readonly { readonly scratch: string; readonly files: Placed['files'] }[]): void {
  const folders = new Set<string>();
  const open: number[] = [];
  try {
    for (const { scratch, files } of all) {
      mkdirSync(scratch);
      folders.add(scratch);
      for (const [name, bytes] of files()) {
        const path = join(scratch, name);
        if (!folders.has(dirname(path))) mkdirSync(dirname(path), { recursive: true });
        for (let at = dirname(path); !folders.has(at); at = dirname(at)) folders.add(at);
        if (open.length === MOST_OPEN) syncAll(open);
        open.push(openSync(path, 'wx'));
        writeAll(open.at(-1) ?? -1, bytes);
      }
    }
    syncAll(open);
  } finally {
    for (const it of open) closeSync(it);
  }
  for (const it of folders) syncFolder(it);
}

/** Syncs and closes files, which are taken out of the list. */
function syncAll(open: number[]): void {
  for (const it of open) fsyncSync(it);
  for (const it of open.splice(0)) closeSync(it);
}
