import { lstatSync, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { orNull } from '../../schema/or-null.ts';

/**
 * Sockets of the file system to which programs of this machine listen. Whoever connects to one acts through its
 * program, and neither a read-only mount nor a network of one's own prevents that.
 */
export function boundSockets(): string[] {
  const text = orNull(() => readFileSync('/proc/net/unix', 'utf8')) ?? '';
  // a folder of another account may be closed
  return pathsIn(text).filter((it) => orNull(() => lstatSync(it))?.isSocket() === true);
}

/** Absolute paths of a text of `/proc/net/unix` (proc(5)): what follows the seventh column. */
export function pathsIn(text: string): string[] {
  const paths = text.split('\n').flatMap((line) => /^(?:\S+\s+){6}\d+ (.+)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)].filter((it) => isAbsolute(it));
}
