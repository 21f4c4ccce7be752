import { spawn } from 'node:child_process';
import { atExit } from '../process/at-exit.ts';
import { killGroup } from '../process/kill-group.ts';

/** More output of a program is not kept. */
const MAX_OUTPUT = 64 * 1024;

/** A program to run, and what it may use. */
export interface ProgramRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: string;
  /** It is killed, with all that it has started, when it takes longer. */
  readonly timeoutMs: number;
}

/** How a program ended. */
export interface ProgramEnd {
  /** Null if it could not be started, or was killed. */
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the person's to its end. It never throws: a program that does not run has no exit. */
export function runProgram({ program, args, cwd, env, input, timeoutMs }: ProgramRun): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    // a group of its own: a shell's child would survive the shell
    const child = spawn(program, args, { cwd, env: { ...env }, detached: true });
    const kill = () => {
      killGroup(child.pid);
    };
    const timer = setTimeout(kill, timeoutMs);
    const forget = atExit(kill);
    const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
    const end = (exit: number | null) => {
      clearTimeout(timer);
      forget();
      resolve({ exit, stdout: stdout(), stderr: stderr() });
    };
    child.on('error', () => {
      end(null);
    });
    child.on('close', end);
    // it may end before it has read its input
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

function gather(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size < MAX_OUTPUT) chunks.push(chunk);
    size += chunk.length;
  });
  return () => Buffer.concat(chunks).subarray(0, MAX_OUTPUT).toString('utf8');
}
