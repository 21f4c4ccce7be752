import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { realDisk } from '../paths/disk.ts';
import { answerEvent, type Explained } from './answer-event.ts';
import { refusal, type Answer } from './answer.ts';
import { appendLog, diskStore } from './disk-store.ts';

/** The hook's command line, which lies outside of every repository. */
interface CommandLine {
  readonly folder: string;
  readonly key: string;
  readonly worktrees: string | null;
  readonly explain: boolean;
}

function readCommandLine(args: readonly string[]): CommandLine {
  const values = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const name = args[at] ?? '';
    if (name === '--explain') values.set(name, 'yes');
    else if (/^--(folder|key|worktrees)$/.test(name)) values.set(name, args[++at] ?? '');
    else throw new TypeError(`unknown option ${name}`);
  }
  const folder = values.get('--folder') ?? '';
  const key = values.get('--key') ?? '';
  const worktrees = values.get('--worktrees') ?? null;
  if (!isAbsolute(folder) || !/^[0-9a-f]{64}$/.test(key)) throw new TypeError('--folder and --key are required');
  if (worktrees !== null && !isAbsolute(worktrees)) throw new TypeError('--worktrees is not absolute');
  return { folder, key, worktrees, explain: values.has('--explain') };
}

function run(): Answer {
  const { folder, key, worktrees, explain } = readCommandLine(process.argv.slice(2));
  const world = { store: diskStore(folder, key), disk: realDisk, env: process.env, home: homedir(), worktrees };
  const explained = answerEvent(readFileSync(0, 'utf8'), world, { folder, gate: process.argv[1] ?? '' });
  if (explain) process.stdout.write(explanation(explained));
  appendLog(folder, explained.answer.log);
  return explained.answer;
}

/** Every finding, for `doctor` and for people: never printed to a host. */
function explanation({ answer, findings }: Explained): string {
  return `${JSON.stringify({ exit: answer.exit, findings })}\n`;
}

function answer(): Answer {
  try {
    return run();
  } catch (error) {
    return refusal(`the gate could not start (${error instanceof Error ? error.message : 'unknown'})`);
  }
}

const { exit, stderr } = answer();
if (stderr !== '') process.stderr.write(stderr);
process.exitCode = exit;
