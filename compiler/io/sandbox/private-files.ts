import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { orNull } from '../../schema/or-null.ts';

/** Keys and passwords of the system lie so deep below its settings. */
const DEPTH = 2;

/**
 * Files and folders of the system's settings that not everybody may read: password hashes, keys of servers and
 * certificates. A person who is root could read them, and so could what is confined.
 */
export function privateSettings(folder = '/etc', depth = DEPTH): string[] {
  const names = orNull(() => readdirSync(folder)) ?? [];
  return names.flatMap((name) => {
    const path = join(folder, name);
    const stat = orNull(() => lstatSync(path));
    if (stat === null || !(stat.isFile() || stat.isDirectory())) return [];
    if (!isOpen(stat)) return [path];
    return stat.isDirectory() && depth > 1 ? privateSettings(path, depth - 1) : [];
  });
}

function isOpen(stat: Stats): boolean {
  return (stat.mode & 0o004) !== 0;
}
