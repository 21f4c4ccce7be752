import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Whether a symbolic link in the file's own place is followed: what people mount may be one, what we write never is. */
export type Links = 'follow' | 'refuse';

/**
 * Reads a whole file that others may have put something else in the place of. A pipe would keep its reader waiting for
 * ever, a device has no end: only a regular file is read, asked of the very handle that is read from, and never more of
 * it than the limit.
 *
 * @param limit bytes
 * @throws Error with the system's code, such as `ENOENT`, or one that says what is wrong with the file
 */
export function readRegular(path: string, limit: number, links: Links = 'follow'): Buffer {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const file = openSync(path, O_RDONLY | O_NONBLOCK | (links === 'refuse' ? O_NOFOLLOW : 0));
  try {
    // asked of the open file: what a path names can change in between
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error(`${path} is not a regular file`);
    if (stat.size > limit) throw new Error(`${path} has ${stat.size} bytes; at most ${limit} are read`);
    return readWhole(file, stat.size);
  } finally {
    closeSync(file);
  }
}

/** The same; null where there is no such file. */
export function readIfThere(path: string, limit: number, links?: Links): Buffer | null {
  try {
    return readRegular(path, limit, links);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** What the file held when its size was asked; one that grows meanwhile differs from what was signed in any case. */
function readWhole(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (let read = -1; at < size && read !== 0; at += read) read = readSync(file, bytes, at, size - at, at);
  return bytes.subarray(0, at);
}
