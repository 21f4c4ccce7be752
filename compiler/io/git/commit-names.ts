import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Person } from '../../schema/source/sources.ts';
import { keysIn } from './git-config.ts';
import { inOwnFolder, runGit } from './git-process.ts';
import { thisUser } from './repository.ts';

/** The persons that git would write into a commit; null for one whose name is not configured. */
export interface CommitNames {
  readonly author: Person | null;
  readonly committer: Person | null;
}

/** The names of commits by one user. */
export interface UserNames {
  /** By the environment, and the configuration of the machine and of the user, in no repository. */
  readonly own: CommitNames;
  /** By these and by the repository, or by the user for repositories like it: as git commits in the folder. */
  readonly here: CommitNames;
  /** A key of the user that includes a file in some repositories (`includeIf`); null without one. */
  readonly conditional: string | null;
}

/** A configuration that takes longer to read, such as one that includes a pipe, is refused. */
const LIMITS = { milliseconds: 10_000, bytes: 1_048_576 };
const KEYS = '^((user|author|committer)\\.(name|email)|includeif\\..*\\.path)$';

/**
 * Reads the names of commits in a folder, which need not exist yet, as data: a repository can name any person in its
 * configuration, so the caller compares what it says with the user's own.
 *
 * @throws git_unavailable, repository_unreadable
 */
export async function readCommitNames(folder: string, env: NodeJS.ProcessEnv): Promise<UserNames> {
  const at = existing(folder);
  const { home, config } = thisUser(env);
  const given = Object.entries(env).filter(([name]) => name.startsWith('GIT_CONFIG_'));
  const user = { ...Object.fromEntries(given), HOME: home, XDG_CONFIG_HOME: config } as Record<string, string>;
  return inOwnFolder(async (own) => {
    const read = async (where: string, more: Record<string, string>) => {
      const call = { own, folder: where, avoid: at, env: { ...user, ...more }, accept: [0, 1], limits: LIMITS };
      return new Map(keysIn(await runGit(['config', '-z', '--get-regexp', KEYS], call)));
    };
    const [plain, whole] = [await read(own, { GIT_DIR: own }), await read(at, {})];
    return {
      own: namesIn(plain, env),
      here: namesIn(whole, env),
      conditional: [...plain.keys()].find((key) => key.startsWith('includeif.')) ?? null,
    };
  });
}

const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)));

/** Environment before `author` and `committer`, these before `user`: the order of git. */
function namesIn(config: ReadonlyMap<string, string>, env: NodeJS.ProcessEnv): CommitNames {
  const personOf = (role: 'author' | 'committer'): Person | null => {
    const of = (key: 'name' | 'email') =>
      env[`GIT_${role}_${key}`.toUpperCase()] ?? config.get(`${role}.${key}`) ?? config.get(`user.${key}`) ?? '';
    return of('name').trim() === '' ? null : { name: of('name'), email: of('email') };
  };
  return { author: personOf('author'), committer: personOf('committer') };
}
