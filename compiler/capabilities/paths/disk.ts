import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { orNull } from '../../schema/or-null.ts';

/** Queries of the disk; null if nothing is there, or it cannot be read. */
export interface Disk {
  readonly kindOf: (path: string) => 'file' | 'folder' | 'link' | null;
  readonly linkOf: (path: string) => string | null;
  /** Number of names (hard links) of a file; 1 for everything else. */
  readonly linksOf: (path: string) => number;
  readonly namesIn: (path: string) => readonly string[] | null;
}

export const realDisk: Disk = {
  kindOf: (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    return stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : 'file';
  },
  linkOf: (path) => orNull(() => readlinkSync(path)),
  linksOf: (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats.nlink : 1;
  },
  namesIn: (path) => orNull(() => readdirSync(path)),
};
