import { runGit } from '../../../compiler/io/git/git-process.ts';
import type { StorePlace } from './repository.ts';

/** A file of the tree that one commit has and another has not, or has differently. */
export interface ChangedFile {
  readonly path: string;
  /** The blob; null if the file is gone. */
  readonly blob: string | null;
}

/** A larger file was not written by a store; it is left alone. */
const MAX_FILE_BYTES = 1024 * 1024;

const NO_BLOB = /^0+$/;

/**
 * The files that differ between two commits; all files of the second without a first.
 *
 * @throws repository_unreadable, git_unavailable
 */
export async function changedFiles(place: StorePlace, from: string | null, to: string): Promise<ChangedFile[]> {
  if (from === null) {
    const listed = await git(place, ['ls-tree', '-r', '-z', to]);
    // <mode> blob <id>\t<path>
    return splitZero(listed).flatMap((it) => {
      const [, mode, blob = '', path = ''] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(it) ?? [];
      return mode === '100644' ? [{ path, blob }] : [];
    });
  }
  const fields = splitZero(await git(place, ['diff-tree', '-r', '-z', '--no-renames', from, to]));
  const changed: ChangedFile[] = [];
  // :<mode> <mode> <id> <id> <letter>, then the path
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [, mode, , blob = ''] = (fields[i] ?? '').slice(1).split(' ');
    const isFile = mode === '100644' && !NO_BLOB.test(blob);
    changed.push({ path: fields[i + 1] ?? '', blob: isFile ? blob : null });
  }
  return changed;
}

/**
 * The bytes of blobs, by id; a blob that is missing or too large has none.
 *
 * @throws repository_unreadable, git_unavailable
 */
export async function readBlobs(place: StorePlace, blobs: readonly string[]): Promise<Map<string, Buffer>> {
  if (blobs.length === 0) return new Map();
  const known = await git(place, ['cat-file', '--batch-check'], [0], lines(blobs));
  const small = known
    .toString('utf8')
    .trim()
    .split('\n')
    .flatMap((it) => {
      const [id = '', type, size] = it.split(' ');
      return type === 'blob' && Number(size) <= MAX_FILE_BYTES ? [id] : [];
    });
  return parseBatch(await git(place, ['cat-file', '--batch'], [0], lines(small)));
}

/** Whether a commit is in the history of another; not, if it is unknown. @throws git_unavailable */
export async function isBehind(place: StorePlace, older: string, newer: string): Promise<boolean> {
  // commits that only the older one reaches
  const more = await git(place, ['rev-list', '--max-count=1', older, `^${newer}`, '--'], [0]).catch(() => null);
  return more?.length === 0;
}

/** A commit of the history, as it was written. */
export interface ReadCommit {
  readonly id: string;
  /** Name and address, and seconds since 1970. */
  readonly author: string;
  readonly at: number;
  readonly message: string;
}

/** The commits after one, oldest first; all without one. @throws repository_unreadable, git_unavailable */
export async function commitsSince(place: StorePlace, from: string | null, to: string): Promise<ReadCommit[]> {
  const range = from === null ? [to] : [to, `^${from}`];
  const format = '--format=%H%x00%an%x00%at%x00%B%x00';
  const text = (await git(place, ['log', '--reverse', '--topo-order', format, ...range, '--'])).toString('utf8');
  const fields = text.split('\0');
  const commits: ReadCommit[] = [];
  for (let i = 0; i + 3 < fields.length; i += 4) {
    const [id = '', author = '', at = '', message = ''] = fields.slice(i, i + 4);
    commits.push({ id: id.trim(), author, at: Number(at), message });
  }
  return commits;
}

/** Runs git in a repository of ours. @throws repository_unreadable, git_unavailable */
export function git(
  { folder, avoid }: StorePlace,
  args: readonly string[],
  accept: readonly number[] = [0],
  input: string | Buffer = '',
): Promise<Buffer> {
  return runGit(args, { own: folder, avoid, accept, input });
}

function lines(ids: readonly string[]): string {
  return ids.map((it) => `${it}\n`).join('');
}

function splitZero(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .split('\0')
    .filter((it) => it !== '');
}

/** `<id> blob <size>`, a line end, the bytes, a line end. */
function parseBatch(bytes: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(10, at);
    const [id = '', , size] = bytes.toString('utf8', at, end).split(' ');
    found.set(id, bytes.subarray(end + 1, end + 1 + Number(size)));
    at = end + 1 + Number(size) + 1;
  }
  return found;
}
