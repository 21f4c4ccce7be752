import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const TRIES = 16;
let made = 0;

/**
 * Takes a lock where SQLite, which has those of the kernel, could not be compiled: a file that names its process. It
 * works among the processes of one machine, which is enough for `--dev`; a process that was killed holds it no longer.
 *
 * @returns releases the lock and removes the file; null if another process, or this one, holds it
 * @throws Error if the file cannot be created
 */
export function takeNamedLock(path: string): (() => void) | null {
  const own = `${path}.${process.pid}.${made++}`;
  writeFileSync(own, String(process.pid), { flag: 'wx' });
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      if (place(own, path))
        return () => {
          rmSync(path, { force: true });
        };
      if (isHeld(path)) return null;
      removeDead(path);
    }
    return null;
  } finally {
    rmSync(own, { force: true });
  }
}

/** A link appears with its content, so nobody reads a lock that names no process yet. */
function place(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Takes a dead lock away; another process may have replaced it by its own meanwhile, which goes back. */
function removeDead(path: string): void {
  const aside = `${path}.${process.pid}.${made++}`;
  try {
    renameSync(path, aside);
    if (isHeld(aside)) place(aside, path);
  } catch {
    // another process took it away
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function isHeld(path: string): boolean {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 && process.kill(pid, 0);
  } catch (error) {
    // it runs, as another user
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
