import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readStorageConfig } from './git-config.ts';
import { inOwnFolder, runGit } from './git-process.ts';
import type { Repository } from './repository.ts';

/** Runs git on one repository, with arguments and standard input. @throws repository_unreadable */
export interface Git {
  readonly text: (args: readonly string[], input?: string) => Promise<string>;
  /** Passes the output to `take` in chunks, until it returns false. */
  readonly stream: (args: readonly string[], input: string, take: (chunk: Buffer) => boolean) => Promise<void>;
}

/**
 * Git isolated from the configuration of users, machines, repositories and pull requests (DESIGN §6.2). Each call runs in
 * a temporary git directory with our own configuration. It links to the repository's objects and refs, but not to its
 * configuration, hooks, index, attributes, grafts or alternates.
 *
 * @param more environment variables for a caller that writes: its index, author and committer
 * @throws repository_refused
 */
export async function openGit(repository: Repository, more: Readonly<Record<string, string>> = {}): Promise<Git> {
  const config = await storageOf(repository);
  const place = repository.bare ? {} : { GIT_WORK_TREE: repository.top };
  const run = (args: readonly string[], input: string | undefined, take?: (chunk: Buffer) => boolean) => {
    const head = readFileSync(join(repository.folder, 'HEAD'), 'utf8');
    const fill = (own: string) => {
      linkRepository(repository, own);
    };
    const env = { ...place, ...more };
    const call = { avoid: repository.top, input, take, env, ...EXCEPTIONS[args[0] ?? '']?.(env) };
    return inOwnFolder((own) => runGit(args, { own, ...call }), { config, head, fill });
  };
  return {
    text: async (args, input) => (await run(args, input)).toString('utf8'),
    stream: async (args, input, take) => {
      await run(args, input, take);
    },
  };
}

type Environment = Readonly<Record<string, string>>;

/** `check-ignore` exits with 1 if nothing is ignored, and does not support literal paths. */
const EXCEPTIONS: Readonly<Record<string, (env: Environment) => { accept: readonly number[]; env: Environment }>> = {
  'check-ignore': (env) => ({ accept: [0, 1], env: { ...env, GIT_LITERAL_PATHSPECS: '0' } }),
};

/** The configuration that says how a repository stores objects and references, and nothing else. @throws repository_refused */
export async function storageOf(repository: Repository): Promise<string> {
  return configOf(repository, await readStorageConfig(repository));
}

function configOf({ bare }: Repository, taken: ReadonlyMap<string, string>): string {
  const lines = [...taken].map(([key, value]) => {
    const [section = '', name = ''] = key.split('.');
    return `[${section}]\n\t${name} = ${value}\n`;
  });
  return `[core]\n\trepositoryFormatVersion = 1\n\tbare = ${bare}\n${lines.join('')}`;
}

/** The files that linked worktrees share, and the pattern of those that each worktree has for itself. */
const COMMON = ['objects', 'refs', 'packed-refs', 'reftable', 'shallow', 'logs/refs', 'worktrees', 'info/exclude'];
const OWN = /^[A-Z]+_HEAD$/;

function linkRepository({ folder, common }: Repository, own: string): void {
  for (const name of COMMON) link(join(common, name), join(own, name));
  const names = readdirSync(folder).filter((name) => OWN.test(name) && statSync(join(folder, name)).isFile());
  for (const name of names) link(join(folder, name), join(own, name));
}

/** Links a file. `packed-refs` is linked even if it is missing, since it may be created while git runs. */
function link(target: string, place: string): void {
  if (!existsSync(target) && !target.endsWith('packed-refs')) return;
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(target, place, 'junction');
}

/** The commit that a ref names; null if there is none. @throws git_unavailable */
export async function commitAt(git: Git, ref: string): Promise<string | null> {
  const [commit = null] = await commitsAt(git, [ref]);
  return commit;
}

const COMMIT_LINE = /^([0-9a-f]{40}|[0-9a-f]{64}) commit \d+$/;

/**
 * The commits that refs name, in their order and by one call of git; null where there is none. A ref comes from a user.
 *
 * @throws git_unavailable
 */
export async function commitsAt(git: Git, refs: readonly string[]): Promise<(string | null)[]> {
  // a line of input is one name
  const names = refs.map((ref) => (/[\n\r\0]/.test(ref) ? '' : `${ref}^{commit}`));
  const lines = (await git.text(['cat-file', '--batch-check'], `${names.join('\n')}\n`)).split('\n');
  return refs.map((_, i) => COMMIT_LINE.exec(lines[i] ?? '')?.[1] ?? null);
}
