import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as setTimer } from 'node:timers/promises';
import { atExit } from './at-exit.ts';

/** A program that runs for a limited time, with nothing on its stdin. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly seconds: number;
  /** Value of `VADE_RUN` in `env`: processes that carry it are ended with the command. */
  readonly mark: string;
}

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command ended. */
export type Ended =
  | ({ readonly end: 'exit'; readonly code: number } & Printed)
  | { readonly end: 'not_started'; readonly why: string }
  | ({ readonly end: 'too_long'; readonly seconds: number } & Printed)
  | ({ readonly end: 'too_loud' } & Printed)
  | ({ readonly end: 'killed'; readonly signal: string } & Printed);

/** Of stdout and stderr each; whoever prints more is ended. */
const MAX_OUTPUT = 16 * 1024 * 1024;
/** How long a pipe may stay open after its writers were killed. */
const GRACE_MS = 2000;
const PAUSE_MS = 10;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/**
 * Runs a command in a process group of its own, and ends the whole group with it: however it ends, nothing that it started
 * goes on. A process that left the group is found by the mark in its environment, where the system shows environments.
 */
export function runCommand(command: Command): Promise<Ended> {
  const { program, args, cwd, env } = command;
  try {
    const child = spawn(program, args, { cwd, env: { ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    return ended(child, command);
  } catch (error) {
    return Promise.resolve({ end: 'not_started', why: String(error) });
  }
}

async function ended(child: Child, { seconds, mark }: Command): Promise<Ended> {
  const cut: ('too_long' | 'too_loud')[] = [];
  const endNow = () => {
    endAll(child, mark);
  };
  const cutOff = (why: 'too_long' | 'too_loud') => () => {
    cut.push(why);
    endNow();
  };
  const timer = setTimeout(cutOff('too_long'), seconds * 1000);
  // an interrupted command leaves nothing running either
  const forget = atExit(endNow);
  const [stdout, stderr] = [child.stdout, child.stderr].map((it) => gather(it, cutOff('too_loud')));
  try {
    const closed = await endOf(child, endNow);
    await endedMarked(mark);
    const printed = { stdout: stdout?.() ?? '', stderr: stderr?.() ?? '' };
    if ('why' in closed) return { end: 'not_started', why: closed.why };
    if (cut[0] === 'too_long') return { end: 'too_long', seconds, ...printed };
    if (cut[0] === 'too_loud') return { end: 'too_loud', ...printed };
    if (closed.code === null) return { end: 'killed', signal: closed.signal ?? 'a signal', ...printed };
    return { end: 'exit', code: closed.code, ...printed };
  } finally {
    clearTimeout(timer);
    forget();
  }
}

/** Ends every marked process, and waits until the last is gone: one that was killed takes a moment to end. */
export async function endedMarked(mark: string): Promise<void> {
  for (let waited = 0; waited < GRACE_MS && markedProcesses(mark).length > 0; waited += PAUSE_MS) {
    endMarked(mark);
    await setTimer(PAUSE_MS);
  }
}

type Closed = { readonly code: number | null; readonly signal: string | null } | { readonly why: string };

/** Waits until a process has ended and its output is read; what it left behind is ended as soon as it is gone. */
function endOf(child: Child, endNow: () => void): Promise<Closed> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      resolve({ why: error.message });
    });
    child.on('exit', () => {
      endNow();
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, GRACE_MS).unref();
    });
    child.on('close', (code, signal) => {
      resolve({ code, signal });
    });
  });
}

/** Collects what a stream brings. @returns its text so far */
function gather(stream: Readable, tooMuch: () => void): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_OUTPUT) chunks.push(chunk);
    else tooMuch();
  });
  return () => Buffer.concat(chunks).toString('utf8');
}

function endAll(child: Child, mark: string): void {
  if (child.pid !== undefined) kill(-child.pid);
  endMarked(mark);
}

/** Processes start others while they are looked for: it is asked again until there is none. */
const ROUNDS = 10;

/** Ends every process whose environment carries a mark. */
export function endMarked(mark: string): void {
  for (let round = 0; round < ROUNDS; round++) {
    const found = markedProcesses(mark);
    if (found.length === 0) return;
    for (const pid of found) kill(pid);
  }
}

/** The processes that carry a mark; none where the system does not show environments. */
export function markedProcesses(mark: string): number[] {
  const wanted = `VADE_RUN=${mark}`;
  const names = attempt(() => readdirSync('/proc')) ?? [];
  return names
    .filter((it) => /^\d+$/.test(it))
    .map(Number)
    .filter((pid) => {
      if (pid === process.pid) return false;
      const environment = attempt(() => readFileSync(`/proc/${pid}/environ`, 'latin1')) ?? '';
      // one that has ended, and waits for its parent, has none
      return environment.split('\0').includes(wanted);
    });
}

function kill(pid: number): void {
  attempt(() => process.kill(pid, 'SIGKILL'));
}

/** What has ended in the meantime, or is somebody else's, is not there. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
