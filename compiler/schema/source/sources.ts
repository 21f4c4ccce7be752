import type { Diagnostic } from '../diagnostics.ts';
import { VadeError } from '../errors.ts';

/** Modes of git trees that never hold an instruction. */
export const SYMLINK_MODE = '120000';
export const SUBMODULE_MODE = '160000';

/** The value in place of a commit's ID: git itself writes it so, and no commit has it. */
export const UNVERSIONED = '0'.repeat(40);

/** The error for a missing folder of sources. @param where as text, such as “the working tree” */
export function sourcesMissing(folder: string, where: string): VadeError {
  return new VadeError('source_not_found', `${folder}/ is not in ${where}`, {
    suggestion: 'run vade init to start a handbook, or name the folder of your handbook with --source',
  });
}

/** The error for sources without `org.yaml`. @param path of `org.yaml` */
export function orgMissing(path: string): VadeError {
  return new VadeError('source_not_found', `${path} is missing; it names the deployment and pins the compiler`, {
    suggestion: 'run vade init in an empty folder to get one to copy',
  });
}

/** The largest commit object that is read, in bytes. */
export const MAX_COMMIT = 1024 * 1024;

/** A file of the compiled tree; paths are relative to the repository, with `/`. */
export interface TreeFile {
  readonly path: string;
  readonly mode: string;
  readonly blob: string;
  /** Bytes. */
  readonly size: number;
  /** The skill in place that it stands for: its path is that of a unit with this name, and its blob `SKILL.md`. */
  readonly skill?: SkillSource;
}

/** A skill where it lies in the repository. */
export interface SkillSource {
  /** Its `SKILL.md`. */
  readonly file: string;
  /** Links in its path are followed. */
  readonly folder: string;
  /** Word for word. */
  readonly description: string;
  /** The beginning of the description, on one line. */
  readonly shown: string;
  /** Patterns of files that it is about. */
  readonly patterns: readonly string[];
  /** The other files of its folder, by path below it. */
  readonly files: readonly TreeFile[];
}

/** The path by which people know a file of the sources. */
export const shownPath = ({ path, skill }: Pick<TreeFile, 'path' | 'skill'>): string => skill?.file ?? path;

/** A person as git names them; only the signature of a commit proves it. */
export interface Person {
  readonly name: string;
  readonly email: string;
}

/** The author and the times of a commit, as the commit claims them; times are seconds since 1970. */
export interface Authorship {
  readonly id: string;
  readonly committed: number;
  readonly authored: number;
  readonly author: Person;
  /** Absent if it is the author. */
  readonly committer?: Person;
  /** Co-authors, by the `Co-authored-by:` lines of its message. */
  readonly coauthors?: readonly Person[];
}

/** Change of one path by one step of the first-parent history; `blob` is null if the path was deleted. */
export interface Change {
  readonly path: string;
  readonly blob: string | null;
  /** sha256 over the folder of a skill in place: the version counts each of its files. */
  readonly folder?: string;
  /** The commits that wrote it, oldest first; absent if only the step's own commit did. */
  readonly by?: readonly Authorship[];
  /** The commits that first wrote the same bytes, in an earlier step, under any path. */
  readonly before?: readonly Authorship[];
  /** The commit that first brought the same bytes into the repository, in an earlier step, if that is none of these. */
  readonly origin?: Authorship;
}

/** Origin of bytes: the first commit that has them, under any path. */
export interface Origin {
  readonly commit: Authorship;
  /** The place of the step that brought this commit in, as in `places`. */
  readonly place: number;
}

/** A commit of the first-parent history: one step, with all changes that it brings in. */
export interface Commit extends Authorship {
  readonly changes: readonly Change[];
}

/** A commit of a branch, and the paths that this commit touches. */
export interface BranchCommit extends Authorship {
  readonly paths: readonly string[];
}

/** The sources at one commit, and their history. Read only; `compiler/io` implements it. */
export interface Sources {
  /** The folder of the sources in the repository, such as `instructions`. */
  readonly folder: string;
  /** The commit that the ref names; empty for a tree without git. */
  readonly commit: string;
  /** Folder of the repository; null for a tree without git. */
  readonly repository: string | null;
  /** Whether the last step of the history is the working tree, and no commit: never signed for production. */
  readonly unversioned?: true;
  readonly tree: ReadonlyMap<string, TreeFile>;
  /** Notices about the checkout: uncommitted changes, missing history. */
  readonly notices: readonly string[];
  /** Diagnostics of skills in place, which are found while the sources are opened. */
  readonly faults?: readonly Diagnostic[];
  /** Blobs by id; blobs of more than `limit` bytes are left out. */
  readonly read: (blobs: readonly string[], limit: number) => Promise<ReadonlyMap<string, Buffer>>;
  /** Files of the tree at and below these repository paths, also outside the folder. */
  readonly find: (paths: readonly string[]) => Promise<readonly TreeFile[]>;
  /** The first-parent commits that touch the folder or one of `paths`, oldest first. */
  readonly history: (paths: readonly string[]) => Promise<readonly Commit[]>;
  /** Origins of these blobs, in the whole history of the commit; those that nobody wrote are left out. */
  readonly origins: (blobs: readonly string[]) => Promise<ReadonlyMap<string, Origin>>;
  /**
   * The commits that the ref has and `base` does not, oldest first. Without a base, the base is the branch that the ref
   * will be merged into, or the first parent of the ref's own merge, or `fallback`; otherwise the list is empty.
   *
   * @param base a ref
   * @param fallback a commit
   */
  readonly branch: (base: string | null, fallback: string | null) => Promise<readonly BranchCommit[]>;
  /** Every commit of the ref's first-parent chain with its place on it, from 1 for the oldest. */
  readonly places: () => Promise<ReadonlyMap<string, number>>;
  /** Raw commit objects by id, for their signatures; missing ones and those larger than `MAX_COMMIT` are left out. */
  readonly commits: (ids: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>;
}

/** The error where `org.yaml` pins another compiler, and its fix. @param path of `org.yaml` */
export function otherCompiler(path: string, pinned: string, compiler: string) {
  return {
    message: `${path} pins compiler ${pinned}; this is ${compiler}`,
    help: `to upgrade, write “compiler: ${compiler}” in ${path} and commit it; or run vade ${pinned}`,
  };
}
