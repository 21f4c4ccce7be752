import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Disk } from './disk.ts';

/** As the kernel does: more links than this are a loop. */
const MAX_LINKS = 40;

/**
 * The path that a write to `path` would reach: every link on the way is followed, also one that leads to nothing yet;
 * what does not exist keeps its name.
 *
 * @throws Error if the links make a loop
 */
export function realPath(path: string, disk: Disk): string {
  let links = 0;
  let done = '/';
  let rest = resolve(path)
    .split('/')
    .filter((it) => it !== '');
  while (rest.length > 0) {
    const [name = '', ...more] = rest;
    rest = more;
    const next = join(done, name);
    if (kindOf(next, disk) !== 'link') {
      done = next;
      continue;
    }
    if (++links > MAX_LINKS) throw new Error('too many symbolic links');
    const target = disk.linkOf(next) ?? '';
    const whole = isAbsolute(target) ? target : join(dirname(next), target);
    // the link's own way is read from its start: a part of it may be a link again
    rest = [
      ...resolve(whole)
        .split('/')
        .filter((it) => it !== ''),
      ...more,
    ];
    done = '/';
  }
  return done;
}

function kindOf(path: string, disk: Disk): ReturnType<Disk['kindOf']> {
  try {
    return disk.kindOf(path);
  } catch {
    // a name too long, or below a file: nothing is there
    return null;
  }
}

/** The path below a folder, with slashes; null if it is not below it. */
export function below(folder: string, path: string): string | null {
  if (path === folder) return '';
  return path.startsWith(folder === '/' ? '/' : `${folder}/`)
    ? path.slice(folder.length + (folder === '/' ? 0 : 1))
    : null;
}
