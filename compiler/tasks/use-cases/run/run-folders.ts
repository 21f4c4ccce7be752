import { copyFileSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { appendLog, ORCHESTRATOR_FILE, ROOT_FILE } from '../../../capabilities/gate/disk-store.ts';
import { readIfThere } from '../../../io/files/file.ts';
import type { Bind } from '../../../io/sandbox/steps.ts';
import { printable } from '../../../schema/diagnostics.ts';
import { orNull } from '../../../schema/or-null.ts';
import { sha256 } from '../../../trust/canonical.ts';

/** The folders of one run, made before anything is made in the repository. */
export interface RunFolders {
  /** All of it, which the agent may write; the settings in its `.claude` excepted. */
  readonly home: string;
  readonly temporary: string;
  /** The folder that the gate reads and notes in, in place of the repository's own folder. */
  readonly gate: string;
  readonly point: string;
  /** Not made yet: for the part of git's configuration that the agent sees. */
  readonly config: string;
}

/** The gate's notes on a session; they are gone with the run. */
const NOTES = ['agents', 'callers', 'heirs', 'starts'];
const BINDINGS = 'bindings';
const LOG = 'advisory.log';
/** Files in a `.claude` that tell a host which hooks to run. */
const SETTINGS = ['settings.json', 'settings.local.json'];
const HOOKS = 'hooks';

/** Makes the folders of a run. */
export function createRunFolders(folder: string): RunFolders {
  const [home, temporary, gate, point] = ['home', 'tmp', 'gate', 'root'].map((it) => join(folder, it)) as FourPaths;
  const claude = join(home, '.claude');
  for (const it of [temporary, point, join(claude, HOOKS), ...[...NOTES, BINDINGS].map((name) => join(gate, name))]) {
    mkdirSync(it, { recursive: true });
  }
  for (const it of SETTINGS) writeFileSync(join(claude, it), '{}\n');
  for (const it of [LOG, ORCHESTRATOR_FILE, ROOT_FILE]) writeFileSync(join(gate, it), '');
  return { home, temporary, gate, point, config: join(folder, 'config') };
}

type FourPaths = [string, string, string, string];

/** Folders that an agent may write besides its worktree. */
export function writableIn({ home, temporary }: RunFolders): string[] {
  return [home, temporary];
}

/** The host's settings, and in place of vade's own folder the part of it that the gate needs for this agent. */
export function overFor({ home, gate }: RunFolders, tasks: string): Bind[] {
  const own = [...NOTES, LOG].map((it) => ({ path: join(tasks, it), from: join(gate, it), isWritable: true }));
  return [{ path: tasks, from: gate, isWritable: false }, ...own, ...settingsOf(home)];
}

/**
 * A `.claude` is a mount of its own: it cannot be moved away, and files in it can be written and renamed as hosts do.
 * The files that say which hooks run are read-only.
 */
function settingsOf(folder: string): Bind[] {
  const claude = join(folder, '.claude');
  if (!isPlain(claude)) return [];
  const fixed = [...SETTINGS, HOOKS].map((it) => join(claude, it)).filter(isPlain);
  return [{ path: claude, from: claude, isWritable: true }, ...fixed.map(asReadOnly)];
}

/** The protected files that exist in a worktree. Those that do not exist are left to the gate and to verify. */
export function protectedIn(worktree: string): Bind[] {
  const own = ['.git', '.vade'].map((it) => join(worktree, it)).filter(isPlain);
  return [...own.map(asReadOnly), ...settingsOf(worktree)];
}

/** A link would lead the mount elsewhere. */
function isPlain(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false;
}

function asReadOnly(path: string): Bind {
  return { path, from: path, isWritable: false };
}

/** Gives the gate of this run what it needs to know of an agent: its binding alone, and both pinned files. */
export function fillGate({ gate }: RunFolders, tasks: string, agent: string, worktree: string): void {
  const files = [
    ORCHESTRATOR_FILE,
    ROOT_FILE,
    join(BINDINGS, `${sha256(worktree)}.json`),
    join('agents', sha256(agent)),
  ];
  for (const it of files) copyFileSync(join(tasks, it), join(gate, it));
}

const MAX_LOG = 1024 * 1024;

/** A line as the gate writes it. */
const ADVICE = /^[a-z0-9-]+(?:::[a-z0-9-]+)+: .{1,400}\. Instead: .{1,400}\.$/;

/**
 * Appends the gate's advice to the usual log. The agent can write the file too: every line has the agent's id, other
 * lines are dropped, and so is a log that is too long.
 */
export function keepAdvice({ gate }: RunFolders, tasks: string, agent: string): void {
  const text = orNull(() => readIfThere(join(gate, LOG), MAX_LOG, 'refuse'))?.toString('utf8') ?? '';
  const lines = text.split('\n').filter((it) => ADVICE.test(it));
  appendLog(
    tasks,
    lines.map((it) => printable(`${agent}: ${it}`)),
  );
}
