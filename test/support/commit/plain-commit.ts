import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeIndex } from './index-file.ts';
import { writeObject, writeTree } from './loose-objects.ts';
import { plainFiles } from './plain-files.ts';

/** What a commit says of itself; times are seconds since 1970. */
export interface CommitSays {
  readonly message: string;
  readonly author: string;
  readonly committer: string;
  readonly at: number;
}

/** The settings and the index of a repository as they were left; others may change what git would do. */
export interface LeftGit {
  readonly config: Buffer;
  /** Null before the first commit. */
  readonly index: Buffer | null;
}

/** The names that `git init` and these commits leave. */
const USUAL = new Set(['HEAD', 'config', 'index', 'info', 'objects', 'refs']);

/**
 * Commits everything below a folder as `git add --all` and `git commit --allow-empty` do, without a process: they are
 * most of the processes of git that tests start. Null, and nothing is changed, where git might do something else: other
 * settings, an index that something else wrote, ignored files, a text that it would tidy.
 */
export function plainCommit(path: string, left: LeftGit, says: CommitSays): { id: string; left: LeftGit } | null {
  const git = join(path, '.git');
  const ref = plainBranch(git, left);
  const files = ref !== null && isPlain(says) ? plainFiles(path) : null;
  if (ref === null || files === null) return null;
  const written = files.map(({ content, ...file }) => ({ ...file, blob: writeObject(git, 'blob', content) }));
  const place = join(git, ref);
  const parent = existsSync(place) ? readFileSync(place, 'utf8').trim() : null;
  const id = writeObject(git, 'commit', commitText(writeTree(git, written), parent, says));
  writeIndex(path, written);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, `${id}\n`);
  return { id, left: { ...left, index: readFileSync(join(git, 'index')) } };
}

/** The ref that HEAD names, in a git folder that has nothing else than such commits. */
function plainBranch(git: string, { config, index }: LeftGit): string | null {
  if (readdirSync(git).some((it) => !USUAL.has(it)) || readdirSync(join(git, 'info')).length > 0) return null;
  if (!isHeld(join(git, 'config'), config) || !isHeld(join(git, 'index'), index)) return null;
  return /^ref: (refs\/heads\/\w+)\n$/.exec(readFileSync(join(git, 'HEAD'), 'utf8'))?.[1] ?? null;
}

/** Whether a file has these bytes; null: whether it is missing. */
function isHeld(file: string, bytes: Buffer | null): boolean {
  return existsSync(file) ? bytes !== null && bytes.equals(readFileSync(file)) : bytes === null;
}

/** Whether git keeps every letter: it tidies messages and names, and reads small numbers as other dates. */
function isPlain({ message, author, committer, at }: CommitSays): boolean {
  const isMessage = /^\S(?:.*\S)?(?:\n{1,2}\S(?:.*\S)?)*$/.test(message);
  return isMessage && [author, committer].every((it) => /^\w(?:[\w -]*\w)? <\w[\w@.-]*\w>$/.test(it)) && at >= 1e9;
}

function commitText(tree: string, parent: string | null, { message, author, committer, at }: CommitSays): Buffer {
  const lines = [
    `tree ${tree}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${author} ${at} +0000`,
    `committer ${committer} ${at} +0000`,
    '',
    message,
    '',
  ];
  return Buffer.from(lines.join('\n'));
}
