import { type ChildProcessWithoutNullStreams, spawn, type StdioOptions } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { orNull } from '../../schema/or-null.ts';
import { atExit } from './at-exit.ts';
import { endedMarked, endMarked } from './marked-processes.ts';

/** Size of the output that is kept. A program that prints more is ended, or its first or last bytes are kept. */
export interface OutputLimit {
  readonly bytes: number;
  readonly beyond: 'end' | 'keep_first' | 'keep_last';
}

/** A program to run, and what it may use. No shell reads its arguments. */
export interface ProcessRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of its environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Its stdin, which is closed after it; by default there is none. */
  readonly input?: Buffer | string;
  /** It is ended when it takes longer. */
  readonly seconds: number;
  /** By default 16 MiB: a program that prints more is ended. */
  readonly stdout?: OutputLimit;
  readonly stderr?: OutputLimit;
  /** Value of `VADE_RUN` in `env`: processes that carry it are ended with the program. */
  readonly mark?: string;
}

interface Printed {
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  /** Whether all of stdout was kept. */
  readonly isWhole: boolean;
}

/** Exit and output of a program. */
export type ProcessEnd =
  | ({ readonly end: 'exit'; readonly code: number } & Printed)
  | { readonly end: 'not_started'; readonly why: string }
  | ({ readonly end: 'too_long'; readonly seconds: number } & Printed)
  | ({ readonly end: 'too_loud' } & Printed)
  | ({ readonly end: 'killed'; readonly signal: string } & Printed);

const MOST: OutputLimit = { bytes: 16 * 1024 * 1024, beyond: 'end' };
/** Maximum time that a pipe may stay open after its writers were killed. */
const GRACE_MS = 2000;

/**
 * Runs a program in a process group of its own, and ends the whole group with it: however it ends, nothing that it
 * started goes on. A process that left the group is found by the mark in its environment, where the system shows
 * environments.
 */
export function runProcess(run: ProcessRun): Promise<ProcessEnd> {
  const { program, args, cwd, env } = run;
  try {
    const child = withOwnFiles((stdio) => spawn(program, args, { cwd, env: { ...env }, detached: true, stdio }));
    // its first three streams are pipes
    return ended(child as ChildProcessWithoutNullStreams, run);
  } catch (error) {
    return Promise.resolve({ end: 'not_started', why: String(error) });
  }
}

async function ended(child: ChildProcessWithoutNullStreams, run: ProcessRun): Promise<ProcessEnd> {
  const { input = '', seconds, mark } = run;
  const cut: ('too_long' | 'too_loud')[] = [];
  const endNow = () => {
    // once all of the group has ended, it is not there
    orNull(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'));
    if (mark !== undefined) endMarked(mark);
  };
  const cutOff = (why: 'too_long' | 'too_loud') => () => {
    cut.push(why);
    endNow();
  };
  const timer = setTimeout(cutOff('too_long'), seconds * 1000);
  // an interrupted command leaves nothing running either
  const forget = atExit(endNow);
  const stdout = gather(child.stdout, run.stdout ?? MOST, cutOff('too_loud'));
  const stderr = gather(child.stderr, run.stderr ?? MOST, cutOff('too_loud'));
  // it may end before it has read its input
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  try {
    const closed = await closeOf(child, endNow);
    if (mark !== undefined) await endedMarked(mark);
    if ('why' in closed) return { end: 'not_started', why: closed.why };
    const { bytes, isWhole } = stdout();
    const printed = { stdout: bytes, stderr: stderr().bytes, isWhole };
    if (cut[0] === 'too_long') return { end: 'too_long', seconds, ...printed };
    if (cut[0] === 'too_loud') return { end: 'too_loud', ...printed };
    if (closed.code === null) return { end: 'killed', signal: closed.signal ?? 'a signal', ...printed };
    return { end: 'exit', code: closed.code, ...printed };
  } finally {
    clearTimeout(timer);
    forget();
  }
}

type Closed = { readonly code: number | null; readonly signal: string | null } | { readonly why: string };

/** Waits until a program has ended and its output is read; what it left behind is ended as soon as it is gone. */
function closeOf(child: ChildProcessWithoutNullStreams, endNow: () => void): Promise<Closed> {
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

/** Collects what a stream brings, within a limit. @returns what is kept so far, and whether that is all */
function gather(
  stream: Readable,
  { bytes, beyond }: OutputLimit,
  tooMuch: () => void,
): () => { readonly bytes: Buffer; readonly isWhole: boolean } {
  let chunks: Buffer[] = [];
  let size = 0;
  let held = 0;
  const kept = () => {
    const all = Buffer.concat(chunks);
    return beyond === 'keep_last' ? all.subarray(Math.max(0, all.length - bytes)) : all.subarray(0, bytes);
  };
  stream.on('data', (chunk: Buffer) => {
    const before = size;
    size += chunk.length;
    if (beyond === 'end' && before <= bytes && size > bytes) tooMuch();
    if (beyond !== 'keep_last' && before >= bytes) return;
    chunks.push(chunk);
    held += chunk.length;
    // cut seldom: each cut copies
    if (beyond !== 'keep_last' || held <= 2 * bytes) return;
    chunks = [Buffer.from(kept())];
    held = bytes;
  });
  return () => ({ bytes: kept(), isWhole: size <= bytes });
}

const CLOSED_ON_EXEC = 0o2000000;

/**
 * Open files that every child would inherit: those with which this process was started, such as the lock of a script.
 * A folder among them leads out of every sandbox.
 */
export function inheritedFiles(): number[] {
  const open = (orNull(() => readdirSync('/proc/self/fdinfo')) ?? []).map(Number);
  return open.filter((it) => it > 2 && isInherited(it));
}

function isInherited(file: number): boolean {
  const text = orNull(() => readFileSync(`/proc/self/fdinfo/${file}`, 'utf8')) ?? '';
  const flags = /^flags:\s*([0-7]+)$/m.exec(text)?.[1];
  return flags !== undefined && (parseInt(flags, 8) & CLOSED_ON_EXEC) === 0;
}

/** Calls `work` with streams for a child that inherits nothing: three pipes, and `/dev/null` in each other file. */
function withOwnFiles<T>(work: (streams: StdioOptions) => T): T {
  const inherited = inheritedFiles();
  const nothing = openSync('/dev/null', 'r+');
  try {
    const most = Math.max(2, ...inherited);
    // `ignore` leaves a file above 2 as it is
    const others = Array.from({ length: most - 2 }, (_, at) => (inherited.includes(at + 3) ? nothing : 'ignore'));
    return work(['pipe', 'pipe', 'pipe', ...others]);
  } finally {
    closeSync(nothing);
  }
}
