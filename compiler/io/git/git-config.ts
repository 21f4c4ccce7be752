import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { inOwnFolder, runGit } from './git-process.ts';

/** The folders of a user's git configuration. */
export interface UserFolders {
  /** Folder with `.gitconfig`. */
  readonly home: string;
  /** `XDG_CONFIG_HOME` or its default. */
  readonly config: string;
}

/**
 * The values of `safe.directory` in the user's configuration; no other key is read. An empty value removes the previous
 * ones. Patterns such as `*` are ignored: a path is trusted only by its full name.
 *
 * @param avoid a folder from which no program is run
 * @throws repository_refused, git_unavailable
 */
export async function readSafeDirectories({ home, config }: UserFolders, avoid: string): Promise<string[]> {
  const named: string[] = [];
  for (const file of [join(config, 'git/config'), join(home, '.gitconfig')]) {
    for (const [, value] of await readKeys(file, '^safe\\.directory$', avoid)) {
      if (value === '') named.length = 0;
      else named.push(value.startsWith('~/') ? join(home, value.slice(2)) : value);
    }
  }
  return named.filter((it) => existsSync(it)).map((it) => realpathSync(it));
}

/**
 * The keys that are read from a repository's own configuration, with their allowed values: how objects and refs are
 * stored. No other key is read, so the repository cannot name a program to run.
 */
const ALLOWED: Readonly<Record<string, RegExp>> = {
  'core.sharedrepository': /^(true|false|umask|group|all|world|everybody|0?[0-7]{3})$/i,
  'extensions.objectformat': /^(sha1|sha256)$/i,
  'extensions.refstorage': /^(files|reftable)$/i,
};

/** Extensions that do not affect what is read here. */
const HARMLESS = /^extensions\.(noop|noop-v1|preciousobjects|partialclone|worktreeconfig|relativeworktrees)$/;

/** Reads how a repository is stored. @throws repository_refused for an unknown extension */
export async function readStorageConfig({
  common,
  top,
}: {
  common: string;
  top: string;
}): Promise<ReadonlyMap<string, string>> {
  const file = join(common, 'config');
  const config = new Map<string, string>();
  if (isOrdinary(file)) return config;
  for (const [key, value] of await readKeys(file, '^(core|extensions)\\.[a-z0-9-]+$', top)) {
    if (ALLOWED[key]?.test(value)) config.set(key, value);
    else if (key.startsWith('extensions.') && !HARMLESS.test(key)) {
      const message = `${top} uses an unsupported storage extension: ${key} is ${value}`;
      throw new VadeError('repository_refused', message, { repository: top, key });
    }
  }
  return config;
}

/** Keys whose values name programs of git, folders of hooks, or further files of configuration. */
const NAMING =
  '^(core\\.(hookspath|fsmonitor|sshcommand|askpass|editor|pager|gitproxy|attributesfile|excludesfile)|include\\.path|includeif\\..*\\.path|(alias|filter|diff|merge|credential|gpg|hook|mergetool|difftool|trailer)\\..*)$';

/**
 * Files and folders of a working tree that the configuration of the repository or of the user names to git, which runs
 * or obeys them; relative to the top.
 */
export async function readNamedPaths(
  { common, top }: { readonly common: string; readonly top: string },
  { home, config }: UserFolders,
): Promise<string[]> {
  const files = [join(common, 'config'), join(common, 'config.worktree')];
  const named: string[] = [];
  for (const file of [...files, join(config, 'git/config'), join(home, '.gitconfig')]) {
    for (const [key, value] of await readKeys(file, NAMING, top)) {
      const isPath = key === 'core.hookspath' || key.startsWith('include');
      // of a command each word may be a file of the tree
      const words = isPath ? [value] : value.split(/[\s"'=;|&()!]+/).filter((it) => it.includes('/'));
      const base = key.startsWith('include') ? dirname(file) : top;
      named.push(...words.map((it) => relative(top, resolve(base, it.replace(/^~\//, `${home}/`)))));
    }
  }
  return named.filter((it) => it !== '' && !it.startsWith('..'));
}

/** A configuration as `git init` and `git clone` write it, without anything that git reads otherwise than it looks. */
const ORDINARY = /^(?:\[[a-z]+(?: "[\w./-]+")?\]\n(?:[ \t]+[a-z]+ = [\w./:@*+ -]+\n)*)*$/i;
const STORAGE = /extensions|sharedrepository/i;
const MAX_ORDINARY = 65_536;

/** Whether a file certainly says nothing of how objects are stored, which then takes no call of git. */
function isOrdinary(file: string): boolean {
  try {
    const stat = statSync(file);
    if (!stat.isFile() || stat.size > MAX_ORDINARY) return false;
    const text = readFileSync(file, 'utf8');
    return ORDINARY.test(text) && !STORAGE.test(text);
  } catch {
    return false;
  }
}

/** Values of a configuration file, without its includes; none if there is no such file. */
async function readKeys(file: string, pattern: string, avoid: string): Promise<[key: string, value: string][]> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return [];
  const args = ['config', '--file', file, '--no-includes', '-z', '--get-regexp', pattern];
  try {
    return keysIn(await inOwnFolder((own) => runGit(args, { own, avoid, accept: [0, 1] })));
  } catch (error) {
    if (error instanceof VadeError && error.code !== 'repository_unreadable') throw error;
    throw new VadeError('repository_refused', `${file} cannot be read: ${messageOf(error)}`, { file });
  }
}

/** The keys and values that `git config -z` prints. */
export function keysIn(printed: Buffer): [key: string, value: string][] {
  const entries = printed.toString('utf8').split('\0');
  return entries
    .filter((it) => it !== '')
    .map((it) => {
      const at = it.indexOf('\n');
      // a key without a value means true
      return at === -1 ? [it, 'true'] : [it.slice(0, at), it.slice(at + 1)];
    });
}
