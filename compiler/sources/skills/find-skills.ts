import { posix } from 'node:path';
import { SYMLINK_MODE, type Sources, type TreeFile } from '../../schema/source/sources.ts';

/** A folder of the repository with a `SKILL.md`. */
export interface SkillFolder {
  readonly folder: string;
  /** `SKILL.md` with the link followed that it may be, and its path in the repository. */
  readonly file: TreeFile;
  readonly path: string;
  /** The other files, by path below the folder. */
  readonly files: readonly TreeFile[];
  /** Paths outside the folder that its links lead to. */
  readonly beyond: readonly string[];
}

/** The folders of skills, and the paths of the repository that they depend on. */
export interface FoundSkills {
  readonly skills: readonly SkillFolder[];
  readonly paths: readonly string[];
}

const SKILL = 'SKILL.md';
/** Links from one folder to the next, and in all: a repository is untrusted. */
const MOST_HOPS = 4;
const MOST_LINKS = 256;
const MOST_LINK_BYTES = 4096;

/** The part of the tree that can be seen from the named folders. */
interface SeenTree {
  readonly files: ReadonlyMap<string, TreeFile>;
  /** The named folders, and what links lead to. */
  readonly roots: readonly string[];
  readonly targets: ReadonlyMap<string, string>;
}

/**
 * The skills in and below folders, in the order of the folders and then of their paths. Links are followed in the tree,
 * never in the file system, and never out of the repository.
 */
export async function findSkills(sources: Sources, folders: readonly string[]): Promise<FoundSkills> {
  const tree = await seeTree(sources, folders);
  const isInRoot = (path: string) => tree.roots.some((root) => path.startsWith(`${root}/`));
  const placed = [...tree.files.keys()].filter((path) => posix.basename(path) === SKILL && isInRoot(path));
  const found = new Map(placed.map((path) => [posix.dirname(path), filesOf(path)]));
  for (const path of tree.files.keys()) found.get(nearestFolder(path, found) ?? '')?.paths.push(path);
  const rootOf = (path: string) => tree.roots.findIndex((root) => path.startsWith(`${root}/`));
  const skills = [...found].flatMap(([folder, { path, paths }]) => readFolder(tree, folder, path, paths));
  skills.sort((a, b) => rootOf(a.path) - rootOf(b.path) || (a.path < b.path ? -1 : 1));
  return { skills, paths: tree.roots };
}

const filesOf = (path: string) => ({ path, paths: [] as string[] });

/** The nearest folder of a skill at or above a path. */
export function nearestFolder(path: string, folders: { has: (folder: string) => boolean }): string | null {
  for (let at = posix.dirname(path); at !== '.' && at !== '/'; at = posix.dirname(at)) if (folders.has(at)) return at;
  return null;
}

async function seeTree(sources: Sources, folders: readonly string[]): Promise<SeenTree> {
  const files = new Map<string, TreeFile>();
  const targets = new Map<string, string>();
  const roots: string[] = [];
  const isSeen = (path: string) => roots.some((root) => path === root || path.startsWith(`${root}/`));
  let waiting = [...new Set(folders)];
  for (let hop = 0; hop <= MOST_HOPS && waiting.length > 0; hop++) {
    roots.push(...waiting);
    const found = (await sources.find(waiting)).filter(({ path }) => !path.startsWith(`${sources.folder}/`));
    for (const file of found) files.set(file.path, file);
    const links = found.filter(({ path, mode }) => mode === SYMLINK_MODE && !targets.has(path));
    const texts = await sources.read(
      links.map(({ blob }) => blob),
      MOST_LINK_BYTES,
    );
    for (const { path, blob } of links.slice(0, MOST_LINKS - targets.size)) {
      const target = targetOf(path, texts.get(blob)?.toString('utf8') ?? '');
      if (target !== null) targets.set(path, target);
    }
    waiting = [...new Set(targets.values())].filter((it) => !isSeen(it));
  }
  return { files, roots, targets };
}

/** The path in the repository that a link leads to; null for one that leads out of it, or to all of it. */
function targetOf(path: string, text: string): string | null {
  const target = posix.join(posix.dirname(path), text).replace(/\/$/, '');
  const isInside = text !== '' && !posix.isAbsolute(text) && !/^\.\.?(\/|$)/.test(target) && !text.includes('\0');
  return isInside ? target : null;
}

function readFolder(tree: SeenTree, folder: string, path: string, paths: readonly string[]): SkillFolder[] {
  const file = follow(tree, path);
  if (file === null || !isPlain(path)) return [];
  const others = paths.filter((it) => it !== path && isPlain(it));
  const files = others.flatMap((it) => {
    const end = follow(tree, it);
    return end === null ? [] : [{ ...end, path: it.slice(folder.length + 1), from: end.path }];
  });
  const beyond = [file.path, ...files.map(({ from }) => from)].filter((it) => !it.startsWith(`${folder}/`));
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return [{ folder, path, file, files: files.map(({ from: _, ...it }) => it), beyond }];
}

/** Without control characters: agents and people are shown the paths. */
const isPlain = (path: string) => path.length <= 400 && !/[\p{Cc}\u2028\u2029\\]/u.test(path);

/** The regular file at a path, through links to files. */
function follow({ files, targets }: SeenTree, path: string): TreeFile | null {
  let file = files.get(path);
  for (let hop = 0; hop < MOST_HOPS && file?.mode === SYMLINK_MODE; hop++) {
    file = files.get(targets.get(file.path) ?? '');
  }
  return file?.mode.startsWith('100') === true ? file : null;
}
