import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { VadeError } from '../../schema/errors.ts';
import { MAX_COMMIT, sourcesMissing, type Sources, type TreeFile } from '../../schema/source/sources.ts';
import { unversionedSources } from '../files/unversioned-sources.ts';
import { readBranch } from './branch.ts';
import { commitAt, openGit, type Git } from './git.ts';
import { readHistory } from './history.ts';
import { findRepository, type Repository } from './repository.ts';
import { isChanged } from './worktree.ts';

export interface SourceOptions {
  readonly repo: string;
  /** Folder of the sources, relative to `repo`. */
  readonly folder: string;
  readonly ref: string;
  /** `--dev`: missing history is a notice, and a tree without git counts as one commit. */
  readonly lenient: boolean;
}

/**
 * Opens the sources at a git ref; the working tree is never read, except under `lenient` where there
 * is no git at all.
 *
 * @throws ref_not_found, source_not_found, history_incomplete, repository_refused, git_unavailable
 */
export async function openSources(options: SourceOptions): Promise<Sources> {
  const isFolder = statSync(options.repo, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) throw new VadeError('source_not_found', `${options.repo} is no folder`);
  const place = await findRepository(options.repo);
  const opened = place && (await openAt(await openGit(place), place, options));
  if (opened) return opened;
  if (options.lenient && existsSync(join(options.repo, options.folder))) return unversionedSources(options);
  if (!place)
    throw new VadeError('source_not_found', `${options.repo} is not a git repository`, {
      suggestion: 'run git init there and commit the sources; vade init begins a handbook',
    });
  throw sourcesMissing(options.folder, `the tree of ${options.ref}`);
}

async function openAt(whole: Git, place: Repository, options: SourceOptions): Promise<Sources | null> {
  const folder = folderIn(place.prefix, options.folder);
  const commit = await resolve(whole, options);
  if (commit === null) return null;
  const git = place.partial ? tellPartial(whole) : whole;
  const tree = await listTree(git, commit, [`${folder}/`]);
  if (tree.length === 0) return null;
  return {
    folder,
    commit,
    repository: place.top,
    tree: new Map(tree.map((file) => [file.path, file])),
    notices: await notices(git, place, options, folder),
    read: (blobs, limit) => readObjects(git, 'blob', blobs, limit),
    find: (paths) => (paths.length === 0 ? Promise.resolve([]) : listTree(git, commit, paths)),
    history: (paths) => readHistory(git, commit, [folder, ...paths]),
    branch: (base, fallback) => readBranch(git, commit, base, fallback),
    places: () => readPlaces(git, commit),
    commits: (ids) => readObjects(git, 'commit', ids, MAX_COMMIT),
  };
}

const PARTIAL = 'objects are missing: this is a partial clone; clone it without --filter';

/** Nothing is fetched here: where objects of a partial clone are missing, whoever runs this has to. */
function tellPartial(git: Git): Git {
  const tell = (error: unknown): never => {
    if (error instanceof VadeError && error.code === 'repository_unreadable') {
      throw new VadeError('history_incomplete', PARTIAL, { cause: error.message });
    }
    throw error;
  };
  return {
    text: (args, input) => git.text(args, input).catch(tell),
    bytes: (args, input) => git.bytes(args, input).catch(tell),
  };
}

/** The folder of the sources from the top of the repository, however it was written. */
function folderIn(prefix: string, folder: string): string {
  return posix.join(prefix, folder).replace(/\/+$/, '');
}

async function readPlaces(git: Git, commit: string): Promise<Map<string, number>> {
  const chain = (await git.text(['rev-list', '--first-parent', '--reverse', commit])).trim().split('\n');
  return new Map(chain.map((id, at) => [id, at + 1]));
}

async function resolve(git: Git, { ref, lenient }: SourceOptions): Promise<string | null> {
  const commit = await commitAt(git, ref);
  if (commit === null && !(lenient && ref === 'HEAD')) {
    throw new VadeError('ref_not_found', `${ref} is no commit of this repository`);
  }
  return commit;
}

async function notices(git: Git, place: Repository, options: SourceOptions, folder: string): Promise<string[]> {
  const found: string[] = [];
  if (place.shallow) {
    const mend = 'run `git fetch --unshallow`';
    if (!options.lenient) throw new VadeError('history_incomplete', `this clone is shallow: ${mend}`);
    found.push(`this clone is shallow, so versions count from its oldest commit; ${mend} for the real ones`);
  }
  const head = place.bare ? null : await commitAt(git, 'HEAD');
  if (head !== null && (await isChanged(git, place.top, folder, await listTree(git, head, [`${folder}/`])))) {
    found.push(`${folder}/ has changes that are not committed; what is compiled is ${options.ref}`);
  }
  return found;
}

async function listTree(git: Git, commit: string, paths: readonly string[]): Promise<TreeFile[]> {
  const text = await git.text(['ls-tree', '-r', '-l', '-z', '--full-tree', commit, '--', ...paths]);
  return text
    .split('\0')
    .filter((line) => line !== '')
    .map((line) => {
      const tab = line.indexOf('\t');
      const [mode = '', , blob = '', size = ''] = line.slice(0, tab).split(/ +/);
      return { path: line.slice(tab + 1), mode, blob, size: Number(size) || 0 };
    });
}

/** One `cat-file --batch`, after one `--batch-check` so that nothing larger than `limit` is ever read. */
async function readObjects(
  git: Git,
  kind: 'blob' | 'commit',
  ids: readonly string[],
  limit: number,
): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return found;
  const sizes = await git.text(['cat-file', '--batch-check'], `${wanted.join('\n')}\n`);
  const small = sizes.split('\n').filter((line) => {
    const [id, type, size] = line.split(' ');
    if (type === 'missing' && kind === 'blob') {
      throw new VadeError('history_incomplete', `${PARTIAL}, or run git fsck`, { object: id });
    }
    return type === kind && Number(size) <= limit;
  });
  if (small.length === 0) return found;
  const input = small.map((line) => line.slice(0, line.indexOf(' '))).join('\n');
  const bytes = await git.bytes(['cat-file', '--batch'], `${input}\n`);
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0x0a, at);
    const [id = '', , size] = bytes.toString('latin1', at, end).split(' ');
    const start = end + 1;
    found.set(id, bytes.subarray(start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return found;
}
