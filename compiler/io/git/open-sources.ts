import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { VadeError } from '../../schema/errors.ts';
import {
  type BranchCommit,
  MAX_COMMIT,
  type Sources,
  sourcesMissing,
  type TreeFile,
} from '../../schema/source/sources.ts';
import { type Git, openGit } from './git.ts';
import { readHistory, readRange } from './history.ts';
import { namedCommit } from './named-commit.ts';
import { commitAt, commitsAt, MISSING_OBJECTS, readObjects } from './objects.ts';
import { readOrigins } from './origins.ts';
import { once } from './remembered.ts';
import { findRepository, type Repository } from './repository.ts';
import { countUncommitted } from './uncommitted-files.ts';
import { unversionedSources } from './unversioned-sources.ts';

export interface SourceOptions {
  readonly repo: string;
  /** Folder of the sources, relative to `repo`. */
  readonly folder: string;
  readonly ref: string;
  /** `--dev`: missing history is a notice, and a tree without git counts as one commit. */
  readonly lenient: boolean;
  /** Whether the working tree is compared with the commit, for a notice; default: yes. */
  readonly comparesCheckout?: boolean;
}

/**
 * Opens the sources at a git ref. The working tree is never read, except with `lenient` for `HEAD` if git has none of
 * it.
 *
 * @throws ref_not_found, argument_invalid, source_not_found, history_incomplete, repository_refused, git_unavailable
 */
export async function openSources(options: SourceOptions): Promise<Sources> {
  const isFolder = statSync(options.repo, { throwIfNoEntry: false })?.isDirectory() === true;
  if (!isFolder) throw new VadeError('source_not_found', `${options.repo} is not a folder`);
  const place = await findRepository(options.repo);
  const opened = place && (await openAt(await openGit(place), place, options));
  if (opened) return opened;
  // the files beside a commit do not replace one that was asked for by name
  const isHead = options.ref === 'HEAD';
  if (options.lenient && isHead && existsSync(join(options.repo, options.folder))) return unversionedSources(options);
  if (!place)
    throw new VadeError('source_not_found', `${options.repo} is not a git repository`, {
      suggestion: 'run git init there and commit the sources; vade init creates a handbook',
    });
  throw sourcesMissing(options.folder, `the tree of ${options.ref}`);
}

async function openAt(whole: Git, place: Repository, options: SourceOptions): Promise<Sources | null> {
  const folder = posix.join(place.prefix, options.folder).replace(/\/+$/, '');
  const commit = await resolve(whole, options);
  if (commit === null) return null;
  const git = place.partial ? reportPartialClone(whole) : whole;
  const tree = await listTree(git, commit, [`${folder}/`]);
  if (tree.length === 0) return null;
  const sizes = new Map(tree.map(({ blob, size }) => [blob, size]));
  return {
    folder,
    commit,
    repository: place.top,
    tree: new Map(tree.map((file) => [file.path, file])),
    notices: await notices(git, place, options, { folder, commit, tree }),
    read: (blobs, limit) =>
      readObjects(
        git,
        'blob',
        blobs.filter((id) => (sizes.get(id) ?? 0) <= limit),
        limit,
      ),
    find: (paths) => (paths.length === 0 ? Promise.resolve([]) : listTree(git, commit, paths)),
    history: (paths) => readHistory(git, commit, [folder, ...paths]),
    origins: (blobs) => readOrigins(git, commit, blobs),
    branch: (base, fallback) => readBranch(git, commit, base, fallback),
    places: once(() => readPlaces(git, commit)),
    commits: (ids) => readObjects(git, 'commit', ids, MAX_COMMIT),
  };
}

/** Missing objects of a partial clone are never fetched; the error tells the user to clone again. */
function reportPartialClone(git: Git): Git {
  const report = (error: unknown): never => {
    if (error instanceof VadeError && error.code === 'repository_unreadable') {
      throw new VadeError('history_incomplete', MISSING_OBJECTS, { cause: error.message });
    }
    throw error;
  };
  return {
    text: (args, input) => git.text(args, input).catch(report),
    lines: (args, input, take) => git.lines(args, input, take).catch(report),
    askObjects: (names, take) => git.askObjects(names, take).catch(report),
  };
}

async function readPlaces(git: Git, commit: string): Promise<Map<string, number>> {
  const chain = (await git.text(['rev-list', '--first-parent', '--reverse', commit])).trim().split('\n');
  return new Map(chain.map((id, at) => [id, at + 1]));
}

async function resolve(git: Git, { ref, lenient }: SourceOptions): Promise<string | null> {
  const commit = await namedCommit(git, ref, 'ref');
  if (commit === null && !(lenient && ref === 'HEAD')) {
    throw new VadeError('ref_not_found', `${ref} is not a commit of this repository`);
  }
  return commit;
}

/** The sources found at the ref. */
interface FoundSources {
  readonly folder: string;
  readonly commit: string;
  readonly tree: readonly TreeFile[];
}

async function notices(git: Git, place: Repository, options: SourceOptions, found: FoundSources): Promise<string[]> {
  const notices: string[] = [];
  if (place.shallow) {
    const fix = 'run `git fetch --unshallow`';
    const suggestion = `${fix}; on GitHub give actions/checkout fetch-depth: 0, since versions count the whole history`;
    if (!options.lenient) throw new VadeError('history_incomplete', `this clone is shallow: ${fix}`, { suggestion });
    notices.push(`this clone is shallow, so versions count from its oldest commit; ${fix} for the real ones`);
  }
  // who names a commit asks for that one, whatever is in the working tree
  const isCompared = !place.bare && options.ref === 'HEAD' && options.comparesCheckout !== false;
  const uncommitted = isCompared ? await countUncommitted(git, place.top, found.folder, found.tree) : 0;
  if (uncommitted > 0) {
    const [files, differ] = uncommitted === 1 ? ['1 file of', 'differs'] : [`${uncommitted} files of`, 'differ'];
    notices.push(`${files} ${found.folder}/ ${differ} from HEAD; the compile uses HEAD`);
  }
  return notices;
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

/** The usual targets of pull requests, in the order in which they are tried. */
const TRUNKS = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

/**
 * The commits of the branch that ends with a commit, oldest first: those that `base` does not have. The default of
 * `base` is the trunk; for a commit of the trunk it is its first parent if it is a merge, else `fallback`.
 *
 * @throws ref_not_found, argument_invalid
 */
async function readBranch(
  git: Git,
  commit: string,
  base: string | null,
  fallback: string | null,
): Promise<BranchCommit[]> {
  if (base !== null) {
    const found = await namedCommit(git, base, 'base');
    if (found === null) throw new VadeError('ref_not_found', `${base} is not a commit of this repository`);
    return readRange(git, commit, found);
  }
  const names = [...TRUNKS, `${commit}^2`, `${commit}^1`];
  const found = await commitsAt(git, names);
  for (const trunk of found.slice(0, TRUNKS.length)) {
    const commits = trunk === null || trunk === commit ? [] : await readRange(git, commit, trunk);
    if (commits.length > 0) return commits;
  }
  const [merged, first] = found.slice(TRUNKS.length);
  const end = merged ? first : fallback && (await commitAt(git, fallback));
  return end ? readRange(git, commit, end) : [];
}
