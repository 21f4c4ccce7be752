import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parse } from 'yaml';
import { runProcess, type ProcessEnd } from '../../compiler/io/process/run-process.ts';
import { findSandbox } from '../../compiler/io/sandbox/find-sandbox.ts';
import type { Confinement, SandboxPlace } from '../../compiler/io/sandbox/steps.ts';
import { agentEnvironment } from '../../compiler/tasks/agent-environment.ts';
import { bindsWithoutRemotes, foldersWithRemotes } from '../../compiler/tasks/use-cases/run/hidden-remotes.ts';
import { foldersOf, whitelistBinds } from '../../compiler/tasks/use-cases/run/whitelist-binds.ts';
import { afterFile } from '../support/after-file.ts';
import { quickFolder } from '../support/quick-folder.ts';
import { isAllowed, isRejected, LISTS } from './bed-check.ts';

/** The change that a command makes where its agent may not, by place. */
export type Effect = 'a file of the tree' | 'another folder' | 'a push' | 'main’s .git';

/** How one command ended in one form of the bed. */
export interface Run {
  readonly ended: ProcessEnd;
  readonly effects: readonly Effect[];
  /** Whether the check rejects the worktree. */
  readonly rejected: boolean;
}

/** Runs a command as the agent: confined, or free to write all of the bed. */
export type Bed = (command: string, form: 'confined' | 'free') => Promise<Run>;

/** A longer command is ended. */
const SECONDS = 8;

/** bash takes a socket as its input for a login from afar, and reads other files at its start. */
const SHELL = ['sh', '-c', 'exec bash -c "$1" </dev/null', 'sh'];

/**
 * Makes a repository with an agent's worktree, those of others, two remotes and a person's home: all in one folder,
 * which each command finds as it was. A command reaches no network but the loopback where origin is served.
 */
export async function createBed(): Promise<Bed> {
  const root = mkdtempSync(join(quickFolder(), 'vade-bed-'));
  const at = (path: string) => join(root, path);
  afterFile(() => {
    rmSync(root, { recursive: true, force: true });
  });
  writeFiles(at('live'));
  execFileSync('bash', ['test/attack/bed.sh', at('live'), process.cwd()], { stdio: 'ignore' });
  execFileSync('cp', ['-a', at('live'), at('kept')]);
  const main = at('kept/main');
  const base = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: main, encoding: 'utf8' }).trim();
  const files = fingerprints(at('kept'));
  const before = await serve(at('live'));
  const forms = { confined: await confinedForm(at), free: await freeForm(at) };
  return async (command, name) => {
    reset(at);
    const { wrap, env } = forms[name];
    const [program = '', ...args] = [...before, ...wrap([...SHELL, command])];
    const cwd = at('live/trees/agent');
    const ended = await runProcess({ program, args, cwd, env, seconds: SECONDS, mark: at('') });
    const changed = changedPaths(files, fingerprints(at('live')));
    const isTree = changed.some((it) => it.startsWith(TREE));
    const rejected = isTree && (await isRejected(main, base, cwd, at('run/check')));
    return { ended, effects: effectsOf(changed, rejected), rejected };
  };
}

function writeFiles(live: string): void {
  const files = parse(readFileSync('test/attack/bed-files.yaml', 'utf8')) as Record<string, string>;
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(live, 'main', path)), { recursive: true });
    writeFileSync(join(live, 'main', path), text);
  }
  mkdirSync(join(live, 'programs'));
  mkdirSync(join(live, '../root'));
}

type At = (path: string) => string;

function reset(at: At): void {
  execFileSync('rm', ['-rf', at('live'), at('run')]);
  execFileSync('cp', ['-a', at('kept'), at('live')]);
  for (const it of ['home', 'tmp']) mkdirSync(at(`run/${it}`), { recursive: true });
}

/** Serves the remotes in a network of their own. @returns words before a command that is to reach it */
async function serve(live: string): Promise<string[]> {
  const daemon = `"$(git --exec-path)/git-daemon" --listen=127.0.0.1 --export-all --enable=receive-pack --base-path=${live}`;
  const script = `PATH=$PATH:/usr/sbin:/sbin; ip link set lo up; exec ${daemon}`;
  const spaces = ['--user', '--map-root-user', '--net', '--', 'sh', '-c', script];
  const { pid = 0 } = spawn('unshare', spaces, { stdio: 'ignore', detached: true });
  afterFile(() => process.kill(-pid, 'SIGKILL'));
  const words = ['--user', '--net', '--preserve-credentials', '--target', String(pid), '--'];
  const ask = [...words, 'git', 'ls-remote', 'git://127.0.0.1/origin.git'];
  for (let tries = 0; spawnSync('nsenter', ask).status !== 0; tries++) {
    if (tries === 100) throw new Error('git daemon does not answer');
    await new Promise((done) => setTimeout(done, 100));
  }
  return ['nsenter', ...words];
}

/** A way of starting commands. */
interface Form {
  readonly wrap: (words: readonly string[]) => string[];
  readonly env: Readonly<Record<string, string>>;
}

/** As `vade task run --confine required` starts an agent of a task with these lists. */
async function confinedForm(at: At): Promise<Form> {
  const [tree, common] = [at('live/trees/agent'), at('live/main/.git')];
  const remotes = await bindsWithoutRemotes(common, at('config'));
  const bindOf = (path: string, isWritable: boolean) => ({ path, from: path, isWritable });
  const place = () => {
    const { binds } = whitelistBinds(LISTS, foldersOf(tree));
    const over = [...remotes, ...binds.map((it) => bindOf(join(tree, it.path), it.isWritable))];
    return { cwd: tree, writable: [tree, at('run/home'), at('run/tmp')], over };
  };
  const others = ['trees/shop', 'trees/one', 'trees/two', 'origin.git', 'path.git'].map((it) => at(`live/${it}`));
  const hidden = [...others, ...foldersWithRemotes(common)];
  return formOf(at, { home: at('live/person'), readable: [at('live/main')], hidden }, place, at('run/home'));
}

/** Free in the bed, and in the person's home. */
function freeForm(at: At): Promise<Form> {
  const place = () => ({ cwd: at('live/trees/agent'), writable: [at('live'), at('run/tmp')] });
  return formOf(at, { home: '/nonexistent', readable: [], hidden: [] }, place, at('live/person'));
}

/** A form whose commands find programs of the bed and of this repository. */
async function formOf(
  at: At,
  view: Pick<Confinement, 'hidden' | 'home' | 'readable'>,
  place: () => SandboxPlace,
  home: string,
): Promise<Form> {
  reset(at);
  const given = agentEnvironment({ agent: 'agent', home, temporary: at('run/tmp'), pass: [] }, process.env);
  const env = {
    // a command can unset the variables of git
    ...Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith('GIT_'))),
    ...{ LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', npm_config_fetch_retries: '0', VADE_RUN: at('') },
    PATH: `${at('live/programs')}:${join(process.cwd(), 'node_modules/.bin')}:${process.env['PATH']}`,
  };
  const readable = [...view.readable, at('live/programs'), process.cwd()];
  const sandbox = await findSandbox({ ...view, readable, point: at('root'), network: true }, env, 'required', place());
  return { wrap: (words) => sandbox.wrap(words, place()), env };
}

/** Files and links below a folder. A commit holds nothing else: neither pipes nor empty folders. */
function fingerprints(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const it of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const place = join(it.parentPath, it.name);
    const path = relative(folder, place);
    if (NOTED.test(path)) continue;
    if (it.isSymbolicLink()) found.set(path, readlinkSync(place));
    if (!it.isFile()) continue;
    const { mode, nlink } = statSync(place);
    found.set(path, `${createHash('sha1').update(readFileSync(place)).digest('hex')} ${mode & 0o111} ${nlink}`);
  }
  return found;
}

function changedPaths(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((it) => before.get(it) !== after.get(it));
}

/** Files in which git only notes what it did, and caches and histories of programs in the person's home. */
const NOTED =
  /(\.git\/(.*\/)?(objects|logs|index|[A-Z_]+_HEAD|[A-Z_]+MSG)(\/|$))|^person\/(go|\.(npm|cache|cargo|local|config|java|m2|\w*history|viminfo))(\/|$)/;
const TREE = 'trees/agent/';
const PLACES: readonly (readonly [place: RegExp, effect: Effect])[] = [
  [/^(origin|path)\.git\//, 'a push'],
  [/^main\/\.git\/|^trees\/agent\/\.git$/, 'main’s .git'],
  [/^(?!trees\/agent\/)/, 'another folder'],
];

/** Changes of files that the task lists are none, unless the check rejects them. */
function effectsOf(changed: readonly string[], rejected: boolean): Effect[] {
  const effects = changed.flatMap((path): Effect[] => {
    const [, effect] = PLACES.find(([place]) => place.test(path)) ?? [];
    if (effect !== undefined) return [effect];
    return rejected || !isAllowed(path.slice(TREE.length)) ? ['a file of the tree'] : [];
  });
  return [...new Set(effects)].sort();
}
