import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { printable } from '../../schema/diagnostics.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { atExit } from '../process/at-exit.ts';

/** The oldest supported git: the first with `--diff-merges=first-parent`. */
const OLDEST = [2, 31] as const;

/** A call that takes longer, or writes more, is killed. */
export const TIMEOUT_MS = 600_000;
const MAX_OUTPUT = 512 * 1024 * 1024;

/** One call of git. */
export interface GitCall {
  /** The git directory that it runs in: a temporary one, never that of a repository. */
  readonly own: string;
  /** A folder from which no program is run: the repository that is read. */
  readonly avoid?: string | undefined;
  /** Only for `git config`, which starts no program: where it reads all the configuration that git reads. */
  readonly folder?: string | undefined;
  readonly input?: string | Buffer | undefined;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** The oldest git that can do it; default: the oldest that is supported. */
  readonly least?: readonly [major: number, minor: number] | undefined;
  /** Exit codes of success; default: 0. */
  readonly accept?: readonly number[] | undefined;
  /** Smaller limits of the whole call, for tests. */
  readonly limits?: { readonly milliseconds?: number; readonly bytes?: number } | undefined;
}

/**
 * The configuration of every call. Only a call with `folder` reads that of repository, user and machine, so none of it
 * can name a program to run (filters, monitors, hooks, signature programs, helpers, remotes).
 */
const CONFIG = `[core]
	hooksPath = /dev/null
	attributesFile = /dev/null
	excludesFile = /dev/null
	fsmonitor = false
	untrackedCache = false
	commitGraph = false
	useReplaceRefs = false
	quotePath = false
[i18n]
	logOutputEncoding = UTF-8
	commitEncoding = UTF-8
[log]
	showRoot = true
[gc]
	auto = 0
[protocol]
	allow = never
[safe]
	bareRepository = explicit
`;

/** The environment of every call; only PATH is the caller's. Two settings forbid lazy fetches, one for old gits. */
const environmentOf = (own: string) => ({
  LC_ALL: 'C',
  HOME: own,
  XDG_CONFIG_HOME: own,
  GIT_DIR: own,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: '/dev/null',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: ':',
});

/** Additional configuration of a git directory of our own, the content of its `HEAD`, and a function that fills it. */
interface OwnFolder {
  readonly config?: string;
  readonly head?: string;
  readonly fill?: (own: string) => void;
}

/** Makes an empty folder a git directory with our own configuration. */
export function fillOwnFolder(own: string, { config, head, fill }: OwnFolder): void {
  writeFileSync(join(own, 'config'), CONFIG + (config ?? '[core]\n\tbare = true\n'));
  writeFileSync(join(own, 'HEAD'), head ?? 'ref: refs/heads/none\n');
  if (fill) fill(own);
  else for (const name of ['objects', 'refs']) mkdirSync(join(own, name));
}

/**
 * Creates a temporary git directory with our own configuration, for the duration of `work`.
 *
 * @throws output_failed if the folder cannot be written
 */
export async function inOwnFolder<T>(work: (own: string) => Promise<T>, more: OwnFolder = {}): Promise<T> {
  let own = '';
  const remove = () => {
    if (own !== '') rmSync(own, { recursive: true, force: true });
  };
  const forget = atExit(remove);
  try {
    try {
      own = realpathSync(mkdtempSync(join(tmpdir(), 'vade-git-')));
      fillOwnFolder(own, more);
    } catch (error) {
      throw new VadeError('output_failed', `${tmpdir()} cannot be written: ${messageOf(error)}`);
    }
    return await work(own);
  } finally {
    forget();
    remove();
  }
}

/**
 * Runs git and returns its output. Any other exit code than an accepted one is an error, and so is a killed process.
 *
 * @throws git_unavailable, repository_unreadable
 */
export async function runGit(args: readonly string[], call: GitCall): Promise<Buffer> {
  const { path, program } = findGit(call.avoid);
  await requireVersion(program, call);
  const own = call.folder === undefined ? environmentOf(call.own) : { LC_ALL: 'C', GIT_PAGER: 'cat' };
  return start(program, args, { ...call, env: { PATH: path, ...own, ...call.env } });
}

/**
 * Starts git on a git directory whose configuration is our own, for a caller that talks to the process.
 *
 * @throws git_unavailable
 */
export async function spawnGit(
  args: readonly string[],
  call: Pick<GitCall, 'own' | 'avoid' | 'env' | 'least'>,
): Promise<ChildProcessWithoutNullStreams> {
  const { path, program } = findGit(call.avoid);
  await requireVersion(program, call);
  const env = { PATH: path, ...environmentOf(call.own), ...call.env };
  return spawn(program, args, { cwd: call.own, env });
}

/** PATH without relative entries, which depend on the working folder, and without entries inside the repository. */
export function searchPath(given: string | undefined, avoid: string | undefined): string[] {
  const entries = (given ?? '').split(delimiter).filter((it) => isAbsolute(it));
  return entries.filter((entry) => {
    if (statSync(entry, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
    // a repository at the root of the file system contains every program
    return avoid === undefined || dirname(avoid) === avoid || !isInside(realpathSync(entry), avoid);
  });
}

/** Whether a path is a folder or inside it; both must have no symbolic links. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

/** Absolute path of the git that a program started now would run. @param avoid as in a call @throws git_unavailable */
export function gitProgram(avoid: string): string {
  return programIn(searchPath(process.env['PATH'], avoid));
}

const found = new Map<string, { readonly path: string; readonly program: string }>();

/** Looks once: a git that a test puts into an earlier folder of PATH is not the one that judges it. */
function findGit(avoid: string | undefined): { readonly path: string; readonly program: string } {
  const key = `${process.env['PATH'] ?? ''}\0${avoid ?? ''}`;
  const known = found.get(key);
  if (known !== undefined && statSync(known.program, { throwIfNoEntry: false })?.isFile()) return known;
  const path = searchPath(process.env['PATH'], avoid);
  const git = { path: path.join(delimiter), program: programIn(path) };
  found.set(key, git);
  return git;
}

function programIn(path: readonly string[]): string {
  const names = process.platform === 'win32' ? ['git.exe'] : ['git'];
  const places = path.flatMap((folder) => names.map((name) => join(folder, name)));
  const found = places.find((it) => statSync(it, { throwIfNoEntry: false })?.isFile());
  if (found !== undefined) return found;
  const message =
    'git is not in PATH; install it (relative folders of PATH, and folders inside the repository, are ignored)';
  throw new VadeError('git_unavailable', message);
}

const versions = new Map<string, Promise<string>>();

/** The version that a program states; asked once per process. */
function versionOf(program: string, own: string): Promise<string> {
  const known = versions.get(program);
  if (known) return known;
  const asked = start(program, ['version'], { own, env: environmentOf(own) }).then((it) => it.toString('utf8').trim());
  versions.set(program, asked);
  return asked;
}

/** @throws git_unavailable for an older version */
async function requireVersion(program: string, { own, least = OLDEST }: GitCall): Promise<void> {
  const told = await versionOf(program, own);
  const [, major = '', minor = ''] = /(\d+)\.(\d+)/.exec(told) ?? [];
  if (Number(major) > least[0] || (Number(major) === least[0] && Number(minor) >= least[1])) return;
  const message = `${program} is ${printable(told)}; git ${least.join('.')} or later is needed`;
  throw new VadeError('git_unavailable', message);
}

function start(program: string, args: readonly string[], call: GitCall): Promise<Buffer> {
  const { own, input, env, accept = [0], limits: { milliseconds = TIMEOUT_MS, bytes = MAX_OUTPUT } = {} } = call;
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      reject(new VadeError('repository_unreadable', `git ${args[0] ?? ''} failed: ${why}`));
    };
    const limits = { timeout: milliseconds, killSignal: 'SIGKILL' } as const;
    const child = spawn(program, args, { cwd: call.folder ?? own, env: { ...env }, ...limits });
    const chunks: Buffer[] = [];
    let size = 0;
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bytes) chunks.push(chunk);
      else child.kill('SIGKILL');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (output.length < 2000) output += chunk.toString('utf8');
    });
    child.on('error', (error) => {
      fail(error.message);
    });
    // git may end before it has read its input; the close event reports how it ended
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    child.on('close', (code, signal) => {
      if (size > bytes) fail(`it printed more than ${bytes} bytes`);
      else if (signal === null && accept.includes(code ?? -1)) resolve(Buffer.concat(chunks));
      else fail(printable(output.trim()) || (signal ?? `exit ${code ?? ''}`));
    });
  });
}
