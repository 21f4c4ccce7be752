import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keysIn } from '../../../io/git/git-config.ts';
import { inOwnFolder, runGit } from '../../../io/git/git-process.ts';
import type { Bind } from '../../../io/sandbox/steps.ts';
import { orNull } from '../../../schema/or-null.ts';

/** The git directory of a repository, and those of its worktrees. */
function gitFolders(common: string): string[] {
  const worktrees = join(common, 'worktrees');
  return [common, ...(orNull(() => readdirSync(worktrees)) ?? []).map((it) => join(worktrees, it))];
}

/** Folders of a repository with addresses of others: of submodules, in the old forms of git, in its logs. */
export function foldersWithRemotes(common: string): string[] {
  const logs = gitFolders(common).map((it) => join(it, 'logs'));
  return [...['modules', 'remotes', 'branches'].map((it) => join(common, it)), ...logs];
}

/** How files are stored, compared and printed: nothing here names a remote, an address or another file of settings. */
const SHOWN =
  /^(?:extensions|user|diff|color|column|i18n|log|status|format|grep|blame|index|core(?!\.(?:gitproxy|sshcommand|askpass)$))\./;

/**
 * Binds over a repository's configuration the part that `git status`, `diff` and `log` read, and over its other files
 * with addresses an empty one: no push finds an address there. Only the files that exist are covered.
 *
 * @param folder where the files are made
 * @throws repository_unreadable if git cannot read the configuration: nothing is shown then
 */
export async function bindsWithoutRemotes(common: string, folder: string): Promise<Bind[]> {
  const [config, shown, empty] = [join(common, 'config'), join(folder, 'config'), join(folder, 'empty')];
  const args = ['config', '--file', existsSync(config) ? config : '/dev/null', '--no-includes', '-z', '--list'];
  const keys = keysIn(await inOwnFolder((own) => runGit(args, { own, avoid: common })));
  mkdirSync(folder);
  const kept = keys.filter(([key, value]) => SHOWN.test(key) && !UNWRITABLE.test(value));
  writeFileSync(shown, kept.map(([key, value]) => lineOf(key, value)).join(''));
  writeFileSync(empty, '');
  const others = gitFolders(common).flatMap((it) => ['config.worktree', 'FETCH_HEAD'].map((name) => join(it, name)));
  const covers = [[config, shown] as const, ...others.map((it) => [it, empty] as const)];
  // a mount would follow a link
  return covers.flatMap(([it, from]) => (existsSync(it) ? [{ path: realpathSync(it), from, isWritable: false }] : []));
}

/** Control characters for which git's configuration has no escape: with one of them it would not be read at all. */
const UNWRITABLE = /[^\P{Cc}\b\t\n]/u;

/** A setting below a heading of its own. Git knows the escapes of JSON that are left. */
function lineOf(key: string, value: string): string {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  const section = first === last ? '' : ` "${key.slice(first + 1, last).replaceAll(/["\\]/g, '\\$&')}"`;
  return `[${key.slice(0, first)}${section}]\n\t${key.slice(last + 1)} = ${JSON.stringify(value)}\n`;
}
