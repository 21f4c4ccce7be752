import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readStorageConfig } from './git-config.ts';
import { readLines } from './git-lines.ts';
import { inOwnFolder, runGit } from './git-process.ts';
import { objectStream, type AskObjects } from './object-stream.ts';
import type { Repository } from './repository.ts';

/** Runs git on one repository, with arguments and standard input. @throws repository_unreadable */
export interface Git {
  readonly text: (args: readonly string[], input?: string) => Promise<string>;
  /** Passes each line of an output of any size to `take`, and keeps none. @throws repository_unreadable */
  readonly lines: (args: readonly string[], input: string, take: (line: string) => void) => Promise<void>;
  /** Asks for objects by name; what `cat-file --batch` answers is passed on in chunks. */
  readonly askObjects: AskObjects;
}

/**
 * Git isolated from the configuration of users, machines, repositories and pull requests (DESIGN §6.2). Each call runs
 * in a temporary git directory with our own configuration. It links to the repository's objects and refs, but not to
 * its configuration, hooks, index, attributes, grafts or alternates.
 *
 * @param more environment variables for a caller that writes: its index, author and committer
 * @throws repository_refused
 */
export async function openGit(repository: Repository, more: Readonly<Record<string, string>> = {}): Promise<Git> {
  const config = await storageOf(repository);
  const place = repository.bare ? {} : { GIT_WORK_TREE: repository.top };
  const call = { avoid: repository.top, env: { ...place, ...more } };
  const inLinked = <T>(work: (own: string) => Promise<T>) => {
    const head = readFileSync(join(repository.folder, 'HEAD'), 'utf8');
    const fill = (own: string) => {
      linkRepository(repository, own);
    };
    return inOwnFolder(work, { config, head, fill });
  };
  return {
    text: async (args, input) => {
      const exception = EXCEPTIONS[args[0] ?? '']?.(call.env);
      return (await inLinked((own) => runGit(args, { own, ...call, input, ...exception }))).toString('utf8');
    },
    lines: (args, input, take) => inLinked((own) => readLines(args, input, { own, ...call }, take)),
    askObjects: objectStream(inLinked, call),
  };
}

type Environment = Readonly<Record<string, string>>;

/** `check-ignore` exits with 1 if nothing is ignored, and does not support literal paths. */
const EXCEPTIONS: Readonly<Record<string, (env: Environment) => { accept: readonly number[]; env: Environment }>> = {
  'check-ignore': (env) => ({ accept: [0, 1], env: { ...env, GIT_LITERAL_PATHSPECS: '0' } }),
};

/** The configuration of how a repository stores objects and references, and nothing else. @throws repository_refused */
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
