import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** Whether a path that is a symbolic link is followed. Mounted files may be links; files that we write never are. */
export type Links = 'follow' | 'refuse';

/**
 * Reads a file that others may have replaced. A pipe would block its reader and a device has no end, so only a regular
 * file is read, checked on the open handle, and never more than the limit.
 *
 * @param limit bytes
 * @throws Error with the system's code, such as `ENOENT`, or one that says what is wrong with the file
 */
export function readRegular(path: string, limit: number, links: Links = 'follow'): Buffer {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const file = openSync(path, O_RDONLY | O_NONBLOCK | (links === 'refuse' ? O_NOFOLLOW : 0));
  try {
    // check the open handle: the path may name another file by now
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error(`${path} is not a regular file`);
    if (stat.size > limit) throw new Error(`${path} has ${stat.size} bytes; at most ${limit} are read`);
    return readWhole(file, stat.size);
  } finally {
    closeSync(file);
  }
}

/** Reads a file; null if there is none. */
export function readIfThere(path: string, limit: number, links?: Links): Buffer | null {
  try {
    return readRegular(path, limit, links);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** Reads as many bytes as the file had when it was opened; a file that grows fails verification anyway. */
export function readWhole(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (let read = -1; at < size && read !== 0; at += read) read = readSync(file, bytes, at, size - at, at);
  return bytes.subarray(0, at);
}

/**
 * Names the file at a path, which one that was put there later is not; null if absent. Inode numbers are reused,
 * so the time of creation is part of the name.
 */
export function fileIdentity(path: string): string | null {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat ? `${stat.dev} ${stat.ino} ${stat.birthtimeNs}` : null;
}
