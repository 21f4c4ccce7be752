import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { printable } from '../../schema/diagnostics.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';

/** The oldest git that knows what is asked of it here: `--diff-merges=first-parent`. */
const OLDEST = [2, 31] as const;

/** A call that is not through by then is ended, and so is one that says more. */
const TIMEOUT_MS = 600_000;
const MAX_OUTPUT = 512 * 1024 * 1024;

/** One call of git. */
export interface GitCall {
  /** The git directory that it runs in: one of our own making, never that of a repository. */
  readonly own: string;
  /** A folder from which no program is taken: the repository that is read. */
  readonly avoid?: string | undefined;
  readonly input?: string | undefined;
  /** Besides what every call has. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Exit codes that are answers. */
  readonly accept?: readonly number[] | undefined;
  /** Takes the output piece by piece, instead of all of it at the end; git is ended when it answers that this is enough. */
  readonly take?: ((chunk: Buffer) => boolean) | undefined;
}

/**
 * Configuration of every call. There is no other: what a repository, a user or a machine configured is never read, so
 * that none of it can name a program (filters, monitors, hooks, signature programs, helpers, remotes).
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

/** Nothing of the caller's environment but where programs lie; a lazy fetch is refused twice, by old gits too. */
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

/**
 * Lends a git directory of our own, with our own configuration, for as long as `work` takes.
 *
 * @param more lines of configuration, and what else belongs into the folder
 * @throws output_failed where there is no room for it
 */
export async function inOwnFolder<T>(
  work: (own: string) => Promise<T>,
  more: { readonly config?: string; readonly head?: string; readonly fill?: (own: string) => void } = {},
): Promise<T> {
  let own = '';
  const remove = () => {
    if (own !== '') rmSync(own, { recursive: true, force: true });
  };
  // a command that is cut off ends without coming back here
  process.once('exit', remove);
  try {
    try {
      own = realpathSync(mkdtempSync(join(tmpdir(), 'vade-git-')));
      writeFileSync(join(own, 'config'), CONFIG + (more.config ?? '[core]\n\tbare = true\n'));
      writeFileSync(join(own, 'HEAD'), more.head ?? 'ref: refs/heads/none\n');
      if (more.fill) more.fill(own);
      else for (const name of ['objects', 'refs']) mkdirSync(join(own, name));
    } catch (error) {
      throw new VadeError('output_failed', `${tmpdir()} cannot be written: ${messageOf(error)}`);
    }
    return await work(own);
  } finally {
    process.removeListener('exit', remove);
    remove();
  }
}

/**
 * Runs git and answers what it says; anything but success is an error, also where git says nothing or was killed.
 *
 * @throws git_unavailable, repository_unreadable
 */
export async function runGit(args: readonly string[], call: GitCall): Promise<Buffer> {
  const path = searchPath(call.avoid);
  const program = programIn(path);
  await requireVersion(program, call.own);
  return start(program, args, {
    ...call,
    env: { PATH: path.join(delimiter), ...environmentOf(call.own), ...call.env },
  });
}

/** A relative entry would mean a folder of whatever is worked in; one inside of the repository is the repository's. */
function searchPath(avoid: string | undefined): string[] {
  const entries = (process.env['PATH'] ?? '').split(delimiter).filter((it) => isAbsolute(it));
  return entries.filter((entry) => {
    if (statSync(entry, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
    // a repository at the root of the file system holds every program there is
    return avoid === undefined || dirname(avoid) === avoid || !isInside(realpathSync(entry), avoid);
  });
}

/** Whether a path is a folder, or lies in it; both without symbolic links. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

function programIn(path: readonly string[]): string {
  const names = process.platform === 'win32' ? ['git.exe'] : ['git'];
  const places = path.flatMap((folder) => names.map((name) => join(folder, name)));
  const found = places.find((it) => statSync(it, { throwIfNoEntry: false })?.isFile());
  if (found !== undefined) return found;
  const message =
    'git is in no folder of PATH; install it (relative folders, and those of the repository, do not count)';
  throw new VadeError('git_unavailable', message);
}

const versions = new Map<string, Promise<void>>();

/** Asked once for each program. */
function requireVersion(program: string, own: string): Promise<void> {
  const known = versions.get(program);
  if (known) return known;
  const asked = start(program, ['version'], { own, env: environmentOf(own) }).then((said) => {
    const [, major = '', minor = ''] = /(\d+)\.(\d+)/.exec(said.toString('utf8')) ?? [];
    const isNew = Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
    if (isNew) return;
    const message = `${program} is ${printable(said.toString('utf8').trim())}; git ${OLDEST.join('.')} or later is needed`;
    throw new VadeError('git_unavailable', message);
  });
  versions.set(program, asked);
  return asked;
}

function start(program: string, args: readonly string[], call: GitCall): Promise<Buffer> {
  const { own, input, env, accept = [0] } = call;
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      reject(new VadeError('repository_unreadable', `git ${args[0] ?? ''} failed: ${why}`));
    };
    const child = spawn(program, args, { cwd: own, env: { ...env }, timeout: TIMEOUT_MS, killSignal: 'SIGKILL' });
    const chunks: Buffer[] = [];
    const take = call.take ?? gather(chunks);
    let ended: { readonly error: Error | null } | null = null;
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      if (ended !== null) return;
      try {
        if (!take(chunk)) ended = { error: null };
      } catch (error) {
        ended = { error: error as Error };
      }
      if (ended !== null) child.kill('SIGKILL');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (said.length < 2000) said += chunk.toString('utf8');
    });
    child.on('error', (error) => {
      fail(error.message);
    });
    // git may end before it has read everything; its exit code says more
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
    child.on('close', (code, signal) => {
      if (ended?.error) reject(ended.error);
      else if (ended !== null || (signal === null && accept.includes(code ?? -1))) resolve(Buffer.concat(chunks));
      else fail(printable(said.trim()) || (signal ?? `exit ${code ?? ''}`));
    });
  });
}

/** Keeps all output. @throws repository_unreadable when it is too much */
function gather(chunks: Buffer[]) {
  let size = 0;
  return (chunk: Buffer): boolean => {
    size += chunk.length;
    if (size > MAX_OUTPUT) {
      throw new VadeError('repository_unreadable', `git printed more than ${MAX_OUTPUT / 1024 ** 2} MiB`);
    }
    chunks.push(chunk);
    return true;
  };
}
