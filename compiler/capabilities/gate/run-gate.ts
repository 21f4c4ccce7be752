import { isAbsolute } from 'node:path';
import { realDisk } from '../paths/disk.ts';
import { answerEvent, type Explained } from './answer-event.ts';
import { refusal } from './answer.ts';
import { appendLog, diskStore, type Pins } from './disk-store.ts';

/** The hook's command line, which lies outside of every repository. */
interface CommandLine extends Pins {
  readonly tasks: string;
  readonly worktrees: string | null;
  /** The settings file that has the hook; null if the command line does not name it. */
  readonly settings: string | null;
  readonly explain: boolean;
}

/** The inputs that the gate takes from its process. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The file that runs. */
  readonly gate: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The output of the process, and its exit code. */
export interface Ended {
  readonly exit: 0 | 2;
  /** Empty unless `--explain` asks for more: hosts read a permission from it. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Reads one event and answers it. Every error denies. @param read all of standard input */
export function runGate(args: readonly string[], read: () => string, machine: Machine): Ended {
  try {
    const { tasks, worktrees, settings, explain, ...pins } = readCommandLine(args);
    const { env, home, gate, now } = machine;
    const world = { store: diskStore(tasks, pins, now), disk: realDisk, env, home, worktrees };
    const explained = answerEvent(read(), world, { folder: tasks, gate, settings });
    const { exit, stderr, log } = explained.answer;
    appendLog(tasks, log);
    return { exit, stderr, stdout: explain ? explanation(explained) : '' };
  } catch (error) {
    const { exit, stderr } = refusal(
      `the gate could not start (${error instanceof Error ? error.message : 'unknown'})`,
    );
    return { exit, stderr, stdout: '' };
  }
}

function readCommandLine(args: readonly string[]): CommandLine {
  const values = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const name = args[at] ?? '';
    if (name === '--explain') values.set(name, 'yes');
    else if (/^--(tasks|orchestrator|root|worktrees|settings)$/.test(name)) values.set(name, args[++at] ?? '');
    else throw new TypeError(`unknown option ${name}`);
  }
  const tasks = values.get('--tasks') ?? '';
  const key = fingerprint(values, '--orchestrator');
  const root = fingerprint(values, '--root');
  const worktrees = values.get('--worktrees') ?? null;
  const settings = values.get('--settings') ?? null;
  if (!isAbsolute(tasks)) throw new TypeError('--tasks is not an absolute path');
  if (worktrees !== null && !isAbsolute(worktrees)) throw new TypeError('--worktrees is not an absolute path');
  if (settings !== null && !isAbsolute(settings)) throw new TypeError('--settings is not an absolute path');
  return { tasks, key, root, worktrees, settings, explain: values.has('--explain') };
}

function fingerprint(values: ReadonlyMap<string, string>, name: string): string {
  const value = values.get(name) ?? '';
  if (/^[0-9a-f]{64}$/.test(value)) return value;
  throw new TypeError(`${name} is not a fingerprint`);
}

/** Every finding, for `doctor` and for people: never printed to a host. */
function explanation({ answer, findings }: Explained): string {
  return `${JSON.stringify({ exit: answer.exit, findings })}\n`;
}
