import { readFileSync } from 'node:fs';
import { orNull } from '../../schema/or-null.ts';
import { isInside } from '../git/git-process.ts';

/** A mount at a path. */
export interface Mount {
  readonly path: string;
  /** Flags of the mount besides `ro` and `rw`: whoever makes it read-only has to give them again. */
  readonly flags: readonly string[];
  readonly isWritable: boolean;
}

/** The mounts of this process; none where the system does not tell. */
export function ownMounts(): Mount[] {
  return readMounts(orNull(() => readFileSync('/proc/self/mountinfo', 'utf8')) ?? '');
}

/** Reads a text of `/proc/<pid>/mountinfo` (proc(5)). Of several mounts at a path the last one is seen. */
export function readMounts(text: string): Mount[] {
  const seen = new Map<string, Mount>();
  for (const line of text.split('\n')) {
    const [own = '', system = ''] = line.split(' - ');
    const [, , , , path, options] = own.split(' ');
    if (path === undefined || options === undefined) continue;
    const flags = options.split(',').filter((it) => it !== 'ro' && it !== 'rw');
    const isLazy = flags.some((it) => it === 'relatime' || it === 'noatime');
    const isWritable = options.split(',').includes('rw') && !(system.split(' ')[2] ?? '').split(',').includes('ro');
    // a mount without either keeps times strictly, and would be made lazy
    seen.set(unescaped(path), { path: unescaped(path), flags: isLazy ? flags : [...flags, 'strictatime'], isWritable });
  }
  return [...seen.values()];
}

/** Spaces, tabs, line ends and backslashes of a path are written as three octal digits. */
function unescaped(path: string): string {
  const bytes = Buffer.from(path, 'utf8').toString('latin1');
  const plain = bytes.replaceAll(/\\([0-7]{3})/g, (_all, digits: string) => String.fromCharCode(parseInt(digits, 8)));
  return Buffer.from(plain, 'latin1').toString('utf8');
}

/** The mount that a path lies in. */
export function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  return mounts.filter((it) => isInside(path, it.path)).reduce<Mount | undefined>(longer, undefined);
}

function longer(one: Mount | undefined, other: Mount): Mount {
  return one === undefined || other.path.length > one.path.length ? other : one;
}
