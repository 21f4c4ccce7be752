import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { orNull } from '../../schema/or-null.ts';

/** What is asked of the disk; null where nothing is there, or it cannot be read. */
export interface Disk {
  readonly kindOf: (path: string) => 'file' | 'folder' | 'link' | null;
  readonly linkOf: (path: string) => string | null;
  readonly namesIn: (path: string) => readonly string[] | null;
}

export const realDisk: Disk = {
  kindOf: (path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    return stats.isSymbolicLink() ? 'link' : stats.isDirectory() ? 'folder' : 'file';
  },
  linkOf: (path) => orNull(() => readlinkSync(path)),
  namesIn: (path) => orNull(() => readdirSync(path)),
};
