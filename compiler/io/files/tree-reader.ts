import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { SUBMODULE_MODE, SYMLINK_MODE, type TreeFile } from '../../schema/source/sources.ts';
import { MAX_UNIT_BYTES } from '../../schema/source/unit.ts';
import { blobIdLike } from '../../trust/canonical.ts';
import { readRegular } from './file.ts';
import type { Scanned } from './scan-folder.ts';

/** Above this size nothing of the sources is read, and its text counts for nothing. */
const MOST_BYTES = 16 * MAX_UNIT_BYTES;

/** A file of a working tree, with its bytes; null where they are not read: repositories, huge files. */
export interface ReadFile {
  readonly file: TreeFile;
  readonly bytes: Buffer | null;
}

/**
 * Reads files of a working tree as git would store them. Each file is read once, until its stamp changes.
 *
 * @param top without symbolic links
 */
export function treeReader(top: string) {
  let known = new Map<string, ReadFile & { readonly stamp: string }>();
  return {
    /** @param committed the same files in the last commit */
    read: (scanned: readonly Scanned[], committed: ReadonlyMap<string, TreeFile>): ReadFile[] => {
      const next: typeof known = new Map();
      for (const it of scanned) {
        const before = committed.get(it.path);
        const stamp = `${it.stamp} ${before?.blob ?? ''}`;
        const already = known.get(it.path);
        const found = already?.stamp === stamp ? already : readOne(top, it, before);
        if (found !== null) next.set(it.path, { ...found, stamp });
      }
      known = next;
      return [...next.values()];
    },
  };
}

const MODES = { file: '100644', link: SYMLINK_MODE, repository: SUBMODULE_MODE } as const;

/** Null if it has disappeared, or is another kind of file by now: the next stamp shows that. */
function readOne(top: string, { path, kind, size }: Scanned, committed: TreeFile | undefined): ReadFile | null {
  const mode = MODES[kind];
  if (kind === 'link') {
    const bytes = orNull(() => readlinkSync(join(top, path), 'buffer'));
    return bytes && { file: { path, mode, blob: blobIdLike(bytes, committed?.blob), size: bytes.length }, bytes };
  }
  if (kind !== 'file' || size > MOST_BYTES) {
    const blob = blobIdLike(Buffer.from(`${kind} ${size}`), committed?.blob);
    return { file: { path, mode, blob, size }, bytes: null };
  }
  const bytes = readUnlinked(top, path);
  if (bytes === null) return null;
  const stored = asCommitted(bytes, committed) ?? bytes;
  return { file: { path, mode, blob: blobIdLike(stored, committed?.blob), size: stored.length }, bytes: stored };
}

function readUnlinked(top: string, path: string): Buffer | null {
  const place = join(top, path);
  try {
    if (realpathSync(dirname(place)) !== dirname(place)) return null;
    return readRegular(place, MOST_BYTES, 'refuse');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(code)) return null;
    throw error;
  }
}

/** The committed bytes, if line ends that git wrote as CR LF are the only difference; otherwise null. */
function asCommitted(bytes: Buffer, committed: TreeFile | undefined): Buffer | null {
  if (!committed || !bytes.includes('\r\n')) return null;
  const plain = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1');
  return blobIdLike(plain, committed.blob) === committed.blob ? plain : null;
}
