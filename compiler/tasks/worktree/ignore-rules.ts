import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readObjects } from '../../io/git/objects.ts';
import type { PrivateGit } from './private-git.ts';
import { bytesOf, type Tracked } from './raw-path.ts';

/** A longer list of rules is none. */
const MAX_RULES_BYTES = 1024 * 1024;

/** Paths of a list that the rules ignore; a folder ends with a slash. */
export type IgnoreRules = (paths: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * The ignore rules of one commit, and no others: a worktree's own `.gitignore`, `info/exclude` and the user's rules
 * hide nothing. They are asked in a folder that has nothing but the commit's `.gitignore` files.
 */
export async function ignoreRules(
  git: PrivateGit,
  tracked: ReadonlyMap<string, Tracked>,
  folder: string,
): Promise<IgnoreRules> {
  const files = [...tracked].filter(([path, { mode }]) => /(^|\/)\.gitignore$/.test(path) && mode.startsWith('100'));
  if (files.length === 0) return () => Promise.resolve(new Set());
  const ids = files.map(([, { id }]) => id);
  const texts = await readObjects(git, 'blob', ids, MAX_RULES_BYTES);
  for (const [path, { id }] of files) {
    const text = texts.get(id);
    if (text === undefined) continue;
    mkdirSync(bytesOf(join(folder, path, '..')), { recursive: true });
    writeFileSync(bytesOf(join(folder, path)), text);
  }
  return async (paths) => {
    if (paths.length === 0) return new Set();
    // `./` because a leading colon is special in pathspecs
    const input = Buffer.from(paths.map((it) => `./${it}\0`).join(''), 'latin1');
    const env = { GIT_WORK_TREE: folder, GIT_LITERAL_PATHSPECS: '0' };
    const found = await git.run(['check-ignore', '--no-index', '--stdin', '-z'], { input, env, accept: [0, 1] });
    return new Set(
      found
        .toString('latin1')
        .split('\0')
        .map((it) => it.replace(/^\.\//, '')),
    );
  };
}
