import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inOwnFolder, runGit } from '../../../compiler/io/git/git-process.ts';
import { BRANCH } from './commit-stream.ts';
import { git } from './read-history.ts';
import type { StorePlace } from './repository.ts';

/** Where the new history grows before it takes the place of the old one. */
const SCRATCH = 'refs/heads/rewritten';

/** A history without some files. */
export interface Rewritten {
  readonly tip: string | null;
  /** Commits that are no more. */
  readonly dropped: number;
  /** Ids of the blobs that were at those paths. */
  readonly blobs: readonly string[];
}

/**
 * Writes the history again without some paths, as another branch; a commit of nothing else is left out. Blobs are not
 * read: the new commits name those that stay.
 *
 * @param isErased whether a path is to be forgotten
 * @throws repository_unreadable, git_unavailable
 */
export async function rewriteWithout(place: StorePlace, isErased: (path: string) => boolean): Promise<Rewritten> {
  const exported = await git(place, ['fast-export', '--no-data', '--signed-tags=strip', BRANCH]);
  const filtered = filterExport(exported, isErased);
  if (filtered.blobs.length === 0) return { tip: null, dropped: 0, blobs: [] };
  await git(place, ['-c', 'core.fsync=all', 'fast-import', '--quiet', '--force'], [0], filtered.stream);
  const tip = (await git(place, ['rev-parse', '--verify', SCRATCH])).toString('utf8').trim();
  return { tip, dropped: filtered.dropped, blobs: filtered.blobs };
}

/**
 * Lets the branch name the rewritten history, and removes every object that only the old one has. Packs of other
 * processes go too: the caller has made them begin anew.
 *
 * @throws repository_unreadable, git_unavailable
 */
export async function replaceHistory(place: StorePlace, to: string, from: string): Promise<void> {
  await git(place, ['-c', 'core.fsync=all', 'update-ref', BRANCH, to, from]);
  await git(place, ['update-ref', '-d', SCRATCH]);
  const packs = join(place.folder, 'objects/pack');
  for (const name of readdirSync(packs).filter((it) => it.endsWith('.keep')))
    rmSync(join(packs, name), { force: true });
  await git(place, ['-c', 'core.fsync=all', 'repack', '-a', '-d', '-q']);
  await git(place, ['prune', '--expire=now']);
}

/**
 * Whether a folder of objects, such as that of a backup, has one of some blobs. Nothing else of it is read, so that no
 * configuration that lies beside it counts.
 *
 * @throws repository_unreadable, git_unavailable
 */
export async function hasBlob(objects: string, blobs: readonly string[]): Promise<boolean> {
  if (!existsSync(objects)) return false;
  const input = blobs.map((it) => `${it}\n`).join('');
  const env = { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects };
  const known = await inOwnFolder((own) => runGit(['cat-file', '--batch-check'], { own, input, env }));
  return / blob \d+\n/.test(known.toString('utf8'));
}

interface FilteredExport {
  readonly stream: Buffer;
  readonly dropped: number;
  readonly blobs: readonly string[];
}

const CHANGE = /^(?:M \d+ ([0-9a-f]+) (.+)|D (.+))$/;

/** Takes paths out of an export; every commit has one parent, the one before it. */
function filterExport(exported: Buffer, isErased: (path: string) => boolean): FilteredExport {
  const out: Buffer[] = [];
  const blobs = new Set<string>();
  let [dropped, last] = [0, ''];
  for (const { head, message, changes } of commitsIn(exported)) {
    const kept = changes.filter((line) => {
      const [, blob, written, removed] = CHANGE.exec(line) ?? [];
      const path = written ?? removed ?? '';
      if (!isErased(path)) return true;
      if (blob !== undefined) blobs.add(blob);
      return false;
    });
    if (kept.length === 0 && changes.length > 0) {
      dropped += 1;
      continue;
    }
    const mark = head.find((it) => it.startsWith('mark '))?.slice('mark '.length) ?? '';
    const lines = head.map((it) => (it.startsWith('commit ') ? `commit ${SCRATCH}` : it));
    const from = last === '' ? '' : `from ${last}\n`;
    out.push(Buffer.from(`${lines.join('\n')}\ndata ${message.length}\n`), message);
    out.push(Buffer.from(`\n${from}${kept.map((it) => `${it}\n`).join('')}\n`));
    last = mark;
  }
  return { stream: Buffer.concat(out), dropped, blobs: [...blobs] };
}

interface ExportedCommit {
  /** `commit`, `mark`, `author`, `committer`. */
  readonly head: readonly string[];
  readonly message: Buffer;
  /** `M` and `D`. */
  readonly changes: readonly string[];
}

function* commitsIn(exported: Buffer): Generator<ExportedCommit> {
  let at = 0;
  const line = (): string => {
    const end = exported.indexOf(10, at);
    const text = exported.toString('utf8', at, end === -1 ? exported.length : end);
    at = end === -1 ? exported.length : end + 1;
    return text;
  };
  while (at < exported.length) {
    const first = line();
    if (!first.startsWith('commit ')) continue;
    const head = [first];
    let next = line();
    for (; !next.startsWith('data '); next = line()) if (!next.startsWith('encoding ')) head.push(next);
    const message = exported.subarray(at, at + Number(next.slice('data '.length)));
    at += message.length;
    const changes: string[] = [];
    // the message may be followed by a line end, a parent, and then the changes up to an empty line
    for (
      next = line();
      next === '' && exported[at] !== undefined && /^(from|[MD]) /.test(exported.toString('utf8', at, at + 5));
    )
      next = line();
    for (; next !== ''; next = line()) if (/^[MD] /.test(next)) changes.push(next);
    yield { head, message, changes };
  }
}
