import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterFile } from './after-file.ts';
import { plainCommit } from './commit/plain-commit.ts';
import { tempFolder } from './folder.ts';
import { runSmall } from './starter/run-small.ts';
import { agentYaml, SMALL_DEPLOYMENT, unitFile } from './unit-files.ts';

export { agentYaml, unitFile };

/** A real git repository in a temporary folder. */
export interface Repository {
  readonly path: string;
  readonly git: (...args: string[]) => string;
  /** Runs git as `Name <address>`, a minute later than the last commit; the committer is the author unless given. */
  readonly gitAs: (author: string, args: readonly string[], committer?: string) => string;
  readonly write: (file: string, content: string | Buffer) => Repository;
  readonly remove: (file: string) => Repository;
  /** Copies a folder of the file system into the repository. */
  readonly copy: (from: string, to: string) => Repository;
  /**
   * Commits everything, as Ada Lovelace, who is its author and its committer unless others are given; times are seconds
   * since 1970 and go up by a minute unless given. Answers the commit's id.
   */
  readonly commit: (message?: string, at?: number, author?: string, committer?: string) => string;
}

const START = 1_760_000_000;
const ADA = 'Ada Lovelace <ada@example.com>';

/** Makes an empty repository. */
export function repository(): Repository {
  const path = tempFolder();
  // where `vade task spawn` puts worktrees
  afterFile(() => {
    rmSync(`${path}.worktrees`, { recursive: true, force: true });
  });
  let clock = START;
  const git = (...args: string[]) => run(path, args);
  cpSync(emptyGitFolder(), join(path, '.git'), { recursive: true });
  const config = readFileSync(join(path, '.git/config'));
  const self: Repository = {
    path,
    git,
    gitAs: (author, args, committer = author) => run(path, args, (clock += 60), author, committer),
    write: (file, content) => {
      mkdirSync(dirname(join(path, file)), { recursive: true });
      writeFileSync(join(path, file), content);
      return self;
    },
    remove: (file) => {
      rmSync(join(path, file), { recursive: true, force: true });
      return self;
    },
    copy: (from, to) => {
      cpSync(from, join(path, to), { recursive: true });
      return self;
    },
    commit: (message = 'change', at = (clock += 60), author = ADA, committer = ADA) => {
      const plain = plainCommit(path, config, { message, at, author, committer });
      if (plain !== null) return plain;
      git('add', '--all');
      run(path, ['commit', '--quiet', '--allow-empty', '--message', message], at, author, committer);
      return headOf(path) ?? git('rev-parse', 'HEAD').trim();
    },
  };
  return self;
}

let empty: string | undefined;

/** Folder of `git init`, always the same: made once a process of tests, or once a test file outside of a run. */
function emptyGitFolder(): string {
  if (empty !== undefined && existsSync(empty)) return empty;
  const shared = process.env['VADE_TEST_SHARED'];
  const path = shared === undefined ? tempFolder() : mkdtempSync(join(shared, 'empty-'));
  run(path, ['init', '--quiet', '--initial-branch=main', '--template=']);
  mkdirSync(join(path, '.git/info'));
  return (empty = join(path, '.git'));
}

/** The commit that HEAD names, read from its file: a process less for each commit. Null where it is packed away. */
function headOf(path: string): string | null {
  const head = readFileSync(join(path, '.git/HEAD'), 'utf8').trim();
  const ref = /^ref: (.*)$/.exec(head)?.[1];
  if (ref === undefined) return head;
  const file = join(path, '.git', ref);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/** No collection of garbage in the background, which is a process for each commit. */
const CONFIG = ['core.autocrlf=false', 'commit.gpgsign=false', 'maintenance.auto=false', 'gc.auto=0'];
const OPTIONS = CONFIG.flatMap((it) => ['-c', it]);

function run(cwd: string, args: readonly string[], at = START, author = ADA, committer = author): string {
  const date = `${at} +0000`;
  const [written, committed] = [author, committer].map((it) => /^(.*) <(.*)>$/.exec(it) ?? []);
  return runSmall('git', [...OPTIONS, ...args], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_NAME: written?.[1],
      GIT_AUTHOR_EMAIL: written?.[2],
      GIT_COMMITTER_NAME: committed?.[1],
      GIT_COMMITTER_EMAIL: committed?.[2],
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
  });
}

/** The smallest deployment that compiles, in a repository. */
export function smallDeployment(): Repository {
  const repo = repository();
  for (const [file, content] of Object.entries(SMALL_DEPLOYMENT)) repo.write(`instructions/${file}`, content);
  return repo;
}
