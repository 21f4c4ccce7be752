import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '../costs/count.ts';

/** The small process of this one, which all test files that it runs share. */
interface Starter {
  readonly pid: number;
  readonly asked: number;
  readonly answers: number;
}

interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly error: string | null;
}

export const starting = globalThis as { vadeTestStarter?: Starter };

/**
 * Runs a program, and answers what it printed. A small process starts it: this one would copy the tables of all its
 * memory for each start, which takes several times as long as git does.
 *
 * @throws if the program cannot be started or ends with another code than 0
 */
export function runSmall(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): string {
  const { asked, answers } = (starting.vadeTestStarter ??= startSmall());
  count(program);
  writeSync(asked, `${Buffer.from(JSON.stringify({ program, args, options })).toString('base64')}\n`);
  const { status, stdout, stderr, error } = readAnswer(answers);
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(' ')}: ${error ?? stderr}`, { cause: { status, stderr } });
}

/** Both pipes are named only until both ends are open, so nothing is left behind. */
function startSmall(): Starter {
  const folder = mkdtempSync(join(tmpdir(), 'vade-test-starter-'));
  const paths = [join(folder, 'asked'), join(folder, 'answers')] as const;
  execFileSync('mkfifo', paths);
  const child = spawn(process.execPath, [join(import.meta.dirname, 'small-process.mjs'), ...paths], {
    stdio: 'ignore',
  });
  child.unref();
  if (child.pid === undefined) throw new Error('the process that starts programs for tests cannot be started');
  const starter = { pid: child.pid, asked: openSync(paths[0], 'w'), answers: openSync(paths[1], 'r') };
  rmSync(folder, { recursive: true });
  return starter;
}

function readAnswer(answers: number): Answer {
  const chunk = Buffer.alloc(64 * 1024);
  let line = '';
  while (!line.endsWith('\n')) {
    const size = readSync(answers, chunk);
    if (size === 0) throw new Error('the process that starts programs for tests ended');
    line += chunk.toString('latin1', 0, size);
  }
  return JSON.parse(Buffer.from(line, 'base64').toString('utf8')) as Answer;
}

function count(program: string): void {
  const processes = counted.vadeCosts?.processes;
  processes?.set(program, (processes.get(program) ?? 0) + 1);
}
