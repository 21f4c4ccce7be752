import { VadeError } from '../../schema/errors.ts';
import type { Git } from './git.ts';
import { ObjectAnswers, type Fate, type ObjectHeader } from './object-answers.ts';

export type ObjectKind = 'blob' | 'commit';

export const MISSING_OBJECTS = 'objects are missing: this is a partial clone; clone it without --filter';

/**
 * Reads objects by ID, each of at most `limit` bytes; larger ones, and those of another kind, are left out. Untrusted
 * input: a history can contain objects of any size. The process that answers is killed at the first that is too large,
 * and then the sizes of the rest are checked before any of them is read.
 *
 * @throws history_incomplete for a blob that is missing
 */
export async function readObjects(
  git: Git,
  kind: ObjectKind,
  ids: readonly string[],
  limit: number,
): Promise<Map<string, Buffer>> {
  const wanted = [...new Set(ids)];
  const found = new Map<string, Buffer>();
  const unread = await readBatch(git, kind, wanted, limit, found);
  if (unread.length === 0) return found;
  const sizes = await git.text(['cat-file', '--batch-check'], `${unread.join('\n')}\n`);
  const small = sizes.split('\n').flatMap((line) => {
    const header = parseHeader(line, kind);
    return header !== null && isWanted(header, kind, limit) ? [header.id] : [];
  });
  await readBatch(git, kind, small, limit, found);
  return found;
}

/** Reads objects until one is too large or of another kind. @returns the IDs after that one */
async function readBatch(
  git: Git,
  kind: ObjectKind,
  ids: readonly string[],
  limit: number,
  found: Map<string, Buffer>,
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const decide = (header: ObjectHeader | null, line: string): Fate => {
    if (header === null) throwMissing(line, kind);
    return header === null ? 'skip' : isWanted(header, kind, limit) ? 'keep' : 'stop';
  };
  const answers = new ObjectAnswers(ids.length, decide, (id, bytes) => void found.set(id, bytes));
  await git.askObjects(ids, (chunk) => answers.take(chunk));
  return ids.slice(answers.answered);
}

/** The commit that a ref names; null if there is none. @throws git_unavailable */
export async function commitAt(git: Git, ref: string): Promise<string | null> {
  const [commit = null] = await commitsAt(git, [ref]);
  return commit;
}

/**
 * The commits that refs name, in their order and by one question to git; null for none. A ref comes from a user.
 *
 * @throws git_unavailable
 */
export async function commitsAt(git: Git, refs: readonly string[]): Promise<(string | null)[]> {
  if (refs.length === 0) return [];
  // a line of input is one name
  const names = refs.map((ref) => (/[\n\r\0]/.test(ref) ? '' : `${ref}^{commit}`));
  const found: (string | null)[] = [];
  const decide = (header: ObjectHeader | null): Fate => {
    found.push(header?.type === 'commit' ? header.id : null);
    return 'skip';
  };
  const answers = new ObjectAnswers(names.length, decide, () => undefined);
  await git.askObjects(names, (chunk) => answers.take(chunk));
  return found;
}

function isWanted({ type, size }: ObjectHeader, kind: ObjectKind, limit: number): boolean {
  return type === kind && size <= limit;
}

/** Parses `<id> <type> <size>`; null for a missing commit. @throws history_incomplete for a missing blob */
function parseHeader(line: string, kind: ObjectKind): ObjectHeader | null {
  const [id = '', type = '', size = ''] = line.split(' ');
  if (type !== 'missing') return { id, type, size: Number(size) };
  throwMissing(line, kind);
  return null;
}

/** A commit may be missing, as in a shallow clone. @throws history_incomplete for a blob */
function throwMissing(line: string, kind: ObjectKind): void {
  if (kind === 'commit') return;
  const [id = ''] = line.split(' ');
  const why = 'is damaged (git fsck says how), or missing: a partial clone has to be cloned without --filter';
  throw new VadeError('history_incomplete', `the object ${id} ${why}`, { object: id });
}
