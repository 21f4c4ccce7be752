import { lstatSync, readdirSync, readlinkSync } from 'node:fs';

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
  linkOf: (path) => attempt(() => readlinkSync(path)),
  namesIn: (path) => attempt(() => readdirSync(path)),
};

function attempt<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
