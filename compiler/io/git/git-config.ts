import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { inOwnFolder, runGit } from './git-process.ts';

/** Where the configuration of a user lies. */
export interface UserFolders {
  /** Folder with `.gitconfig`. */
  readonly home: string;
  /** `XDG_CONFIG_HOME`, or what stands for it. */
  readonly config: string;
}

/**
 * The folders that the user declared safe, in the configuration of the user alone: that key, and nothing else of it; an
 * empty value takes back those before. Patterns such as `*` are none: a path is trusted by its name.
 *
 * @param avoid a folder from which no program is taken
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
 * The name and address that the user signs commits with, by their own configuration alone; null for what it lacks.
 *
 * @param avoid a folder from which no program is taken
 */
export async function readUser({ home, config }: UserFolders, avoid: string) {
  let name: string | null = null;
  let email: string | null = null;
  for (const file of [join(config, 'git/config'), join(home, '.gitconfig')]) {
    for (const [key, value] of await readKeys(file, '^user\\.(name|email)$', avoid)) {
      if (key === 'user.name') name = value;
      else email = value;
    }
  }
  return { name, email };
}

/**
 * What of a repository's own configuration is taken over, and the values it may have: how objects and refs are stored.
 * Nothing else of it is ever read, so that none of it can name a program.
 */
const TAKEN: Readonly<Record<string, RegExp>> = {
  'core.sharedrepository': /^(true|false|umask|group|all|world|everybody|0?[0-7]{3})$/i,
  'extensions.objectformat': /^(sha1|sha256)$/i,
  'extensions.refstorage': /^(files|reftable)$/i,
};

/** Ways to store a repository that change nothing of what is read here. */
const INDIFFERENT = /^extensions\.(noop|noop-v1|preciousobjects|partialclone|worktreeconfig|relativeworktrees)$/;

/** @throws repository_refused where it is stored in a way that is not known */
export async function readTaken({
  common,
  top,
}: {
  common: string;
  top: string;
}): Promise<ReadonlyMap<string, string>> {
  const taken = new Map<string, string>();
  for (const [key, value] of await readKeys(join(common, 'config'), '^(core|extensions)\\.[a-z0-9-]+$', top)) {
    if (TAKEN[key]?.test(value)) taken.set(key, value);
    else if (key.startsWith('extensions.') && !INDIFFERENT.test(key)) {
      const message = `${top} is stored in a way that is not known here: ${key} is ${value}`;
      throw new VadeError('repository_refused', message, { repository: top, key });
    }
  }
  return taken;
}

/** Values of a configuration file as it stands, without what it includes; none where there is no such file. */
async function readKeys(file: string, pattern: string, avoid: string): Promise<[key: string, value: string][]> {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return [];
  const args = ['config', '--file', file, '--no-includes', '-z', '--get-regexp', pattern];
  try {
    const found = await inOwnFolder((own) => runGit(args, { own, avoid, accept: [0, 1] }));
    return found
      .toString('utf8')
      .split('\0')
      .filter((it) => it !== '')
      .map((it) => {
        const at = it.indexOf('\n');
        // a key without a value is git's way to say true
        return at === -1 ? [it, 'true'] : [it.slice(0, at), it.slice(at + 1)];
      });
  } catch (error) {
    if (error instanceof VadeError && error.code !== 'repository_unreadable') throw error;
    throw new VadeError('repository_refused', `${file} cannot be read: ${messageOf(error)}`, { file });
  }
}
