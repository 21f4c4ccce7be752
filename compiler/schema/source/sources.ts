import { VadeError } from '../errors.ts';

/** Modes of git trees that never hold an instruction. */
export const SYMLINK_MODE = '120000';
export const SUBMODULE_MODE = '160000';

/** There are no sources where they were looked for. @param where in words, such as “the working tree” */
export function sourcesMissing(folder: string, where: string): VadeError {
  return new VadeError('source_not_found', `${folder}/ is not in ${where}`, {
    suggestion: 'run vade init to begin a handbook, or name the folder of yours with --source',
  });
}

/** Sources without their first file. @param path of `org.yaml` */
export function orgMissing(path: string): VadeError {
  return new VadeError('source_not_found', `${path} is missing; it names the deployment and pins the compiler`, {
    suggestion: 'run vade init in an empty folder for one to copy',
  });
}

/** The largest commit object that is looked at, in bytes. */
export const MAX_COMMIT = 1024 * 1024;

/** A file of the compiled tree; paths are relative to the repository, with `/`. */
export interface TreeFile {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
  /** Bytes. */
  readonly size: number;
}

/** Someone as git names them; nothing vouches for it but a commit's signature. */
export interface Person {
  readonly name: string;
  readonly email: string;
}

/** Who wrote a commit, by its own word; times are seconds since 1970. */
export interface Authorship {
  readonly id: string;
  readonly committed: number;
  readonly authored: number;
  readonly author: Person;
  /** Absent where nobody but the author is named. */
  readonly committer?: Person;
  /** Who else wrote it, by the `Co-authored-by:` lines of its message. */
  readonly coauthors?: readonly Person[];
}

/** What one step of the first-parent history did to one path; `blob` is null where it was deleted. */
export interface Change {
  readonly path: string;
  readonly blob: string | null;
  /** The commits that wrote it, oldest first; absent where the step's own commit did, and it alone. */
  readonly by?: readonly Authorship[];
  /** The commits that wrote the very same bytes first, in an earlier step, under whatever path. */
  readonly before?: readonly Authorship[];
}

/** A commit of the first-parent history: one step, with all that it brings in. */
export interface Commit extends Authorship {
  readonly changes: readonly Change[];
}

/** A commit of a branch, and the paths that it touches itself. */
export interface BranchCommit extends Authorship {
  readonly paths: readonly string[];
}

/** The sources at one commit, and how they came to be. Implemented at the edge; read only. */
export interface Sources {
  /** The folder of the sources in the repository, such as `instructions`. */
  readonly folder: string;
  /** The commit the ref names; empty for a tree without git. */
  readonly commit: string;
  /** Folder of the repository that is read; null for a tree without git. */
  readonly repository: string | null;
  readonly tree: ReadonlyMap<string, TreeFile>;
  /** What the author should know of the checkout: uncommitted changes, missing history. */
  readonly notices: readonly string[];
  /** Blobs by id; one that is larger than `limit` bytes is left out. */
  readonly read: (blobs: readonly string[], limit: number) => Promise<ReadonlyMap<string, Buffer>>;
  /** Files of the tree at these repository paths, outside the folder too. */
  readonly find: (paths: readonly string[]) => Promise<readonly TreeFile[]>;
  /** The first-parent commits that touch the folder or one of `paths`, oldest first. */
  readonly history: (paths: readonly string[]) => Promise<readonly Commit[]>;
  /**
   * The commits that the ref has and `base` does not, oldest first. Without a base the branch is told from what it
   * will be merged into, or from the parent that the ref's own merge was made on; none where nothing tells it.
   *
   * @param base a ref; @param fallback a commit that is taken where nothing else tells
   */
  readonly branch: (base: string | null, fallback: string | null) => Promise<readonly BranchCommit[]>;
  /** Every commit of the ref's first-parent chain with its place on it, from 1 for the oldest. */
  readonly places: () => Promise<ReadonlyMap<string, number>>;
  /** Raw commit objects by id, for their signatures; one that is missing or larger than `MAX_COMMIT` is left out. */
  readonly commits: (ids: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>;
}
