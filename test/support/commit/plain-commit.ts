import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isPlainIndex, writeIndex } from './index-file.ts';
import { writeObject, writeTree } from './loose-objects.ts';
import { plainFiles } from './plain-files.ts';

/** The words of a commit about itself; times are seconds since 1970. */
export interface CommitSays {
  readonly message: string;
  readonly author: string;
  readonly committer: string;
  readonly at: number;
}

/** The names that `git init` and commits, branches and worktrees leave; another may change what git would do. */
const USUAL = new Set([
  ...['COMMIT_EDITMSG', 'HEAD', 'ORIG_HEAD', 'config', 'index', 'info', 'logs', 'objects', 'refs', 'vade', 'worktrees'],
]);

/**
 * Commits everything below a folder as `git add --all` and `git commit --allow-empty` do, but for the reflog, without a
 * process: they are most of the processes of git that tests start. Null, and nothing is changed, where git might do
 * something else: other settings, a merge, an index that says more than names, ignored files, a text that it would
 * tidy.
 *
 * @param config the settings that its repository was made with
 */
export function plainCommit(path: string, config: Buffer, says: CommitSays): string | null {
  const git = join(path, '.git');
  const ref = isUsual(git, config) && isPlain(says) ? branchOf(git) : null;
  const files = ref === null ? null : plainFiles(path);
  if (ref === null || files === null) return null;
  const written = files.map(({ content, ...file }) => ({ ...file, blob: writeObject(git, 'blob', content) }));
  const place = join(git, ref);
  const parent = existsSync(place) ? readFileSync(place, 'utf8').trim() : null;
  const id = writeObject(git, 'commit', commitText(writeTree(git, written), parent, says));
  writeIndex(path, written);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, `${id}\n`);
  return id;
}

/** Whether a git folder has its first settings, and nothing of a merge, of hooks or of ignored files. */
function isUsual(git: string, config: Buffer): boolean {
  if (readdirSync(git).some((it) => !USUAL.has(it)) || readdirSync(join(git, 'info')).length > 0) return false;
  const index = join(git, 'index');
  return readFileSync(join(git, 'config')).equals(config) && (!existsSync(index) || isPlainIndex(readFileSync(index)));
}

/** The branch that HEAD names; null where it names a commit. */
function branchOf(git: string): string | null {
  return /^ref: (refs\/heads\/[\w/-]+)\n$/.exec(readFileSync(join(git, 'HEAD'), 'utf8'))?.[1] ?? null;
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
