import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync, type Stats } from 'node:fs';
import { posix } from 'node:path';
import { readWhole } from '../../io/files/file.ts';
import { blobId } from '../../trust/canonical.ts';
import type { REFUSALS } from '../schema/snapshot.ts';
import { bytesOf, type RawPath, type Tracked } from './raw-path.ts';

/** A larger file is only compared, never taken into a commit. */
const MAX_FILE_BYTES = 100 * 1024 * 1024;
/** Up to this size a file is read at once. */
const CHUNK = 4 * 1024 * 1024;

/** An entry that differs from the commit, or why it must not be in one; null if it is as the commit has it. */
export type Difference =
  | { readonly mode: string; readonly bytes: Buffer }
  | { readonly refused: keyof typeof REFUSALS }
  | null;

/** Compares an entry of a worktree with the commit's at its path. @param linked called for a file with two names */
export function compareEntry(
  top: RawPath,
  path: RawPath,
  kind: 'file' | 'link',
  known: Tracked | undefined,
  hash: string,
  linked: () => void,
): Difference {
  try {
    return kind === 'link' ? compareLink(top, path, known, hash) : compareFile(`${top}/${path}`, known, hash, linked);
  } catch {
    return { refused: 'unreadable' };
  }
}

function compareLink(top: RawPath, path: RawPath, known: Tracked | undefined, hash: string): Difference {
  const bytes = readlinkSync(bytesOf(`${top}/${path}`), { encoding: 'buffer' });
  if (known?.mode === '120000' && known.id === blobId(bytes, hash)) return null;
  return staysInside(path, bytes.toString('latin1')) ? { mode: '120000', bytes } : { refused: 'link_outside' };
}

/**
 * Whether a link ends below the worktree. It may go up only at its start: after a name, `..` would lead up from
 * wherever that name leads, which may be another link.
 */
function staysInside(path: RawPath, target: RawPath): boolean {
  if (posix.isAbsolute(target) || /(^|\/)(?!\.\.?(\/|$))[^/]+\/(.*\/)?\.\.(\/|$)/.test(target)) return false;
  const end = posix.join(posix.dirname(path), target);
  return end !== '..' && !end.startsWith('../') && !/(^|\/)\.git(\/|$)/i.test(end);
}

function compareFile(place: RawPath, known: Tracked | undefined, hash: string, linked: () => void): Difference {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const file = openSync(bytesOf(place), O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stat = fstatSync(file);
    // it was a file a moment ago
    if (!stat.isFile()) return { refused: 'unreadable' };
    if (stat.nlink > 1) linked();
    const mode = (stat.mode & 0o100) === 0 ? '100644' : '100755';
    if (stat.size > CHUNK) return compareLarge(file, stat, mode, known, hash);
    const bytes = readWhole(file, stat.size);
    return isSame(known, mode, blobId(bytes, hash)) ? null : { mode, bytes };
  } finally {
    closeSync(file);
  }
}

function isSame(known: Tracked | undefined, mode: string, id: string): boolean {
  return known?.id === id && known.mode === mode;
}

/** A large file is hashed piece by piece first: most are as they were. */
function compareLarge(
  file: number,
  { size }: Stats,
  mode: string,
  known: Tracked | undefined,
  hash: string,
): Difference {
  if (known?.size === size) {
    const sum = createHash(hash).update(`blob ${size}\0`);
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let at = 0, read = -1; at < size && read !== 0; at += read) {
      read = readSync(file, chunk, 0, CHUNK, at);
      sum.update(chunk.subarray(0, read));
    }
    if (isSame(known, mode, sum.digest('hex'))) return null;
  }
  return size > MAX_FILE_BYTES ? { refused: 'file_size' } : { mode, bytes: readWhole(file, size) };
}
