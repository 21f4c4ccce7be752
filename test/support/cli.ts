import { spawn } from 'node:child_process';
import { PassThrough, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Ajv, type ValidateFunction } from 'ajv';
import { COMMANDS } from '../../compiler/cli/commands/index.ts';
import { registryFor } from '../../compiler/cli/commands/load.ts';
import { ALWAYS, EXIT, exitsOf, type ExitName } from '../../compiler/cli/exit.ts';
import { outputSchema } from '../../compiler/cli/manifest.ts';
import type { Command } from '../../compiler/cli/registry.ts';
import { runOn } from '../../compiler/cli/terminal.ts';
import { ERRORS } from '../../compiler/schema/errors.ts';
import { countCompile } from './costs/count.ts';

/** The built command line. */
export const MAIN = fileURLToPath(new URL('../../dist/compiler/cli/main.js', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The JSON envelope on stdout. */
  readonly envelope: () => {
    readonly ok: boolean;
    readonly data: Record<string, unknown>;
    readonly error: {
      readonly code: string;
      readonly suggestion?: string;
      readonly redirect?: { readonly command: string };
      readonly phase: string;
      readonly context: Record<string, unknown>;
    };
    readonly warnings: readonly { readonly code: string }[];
    readonly meta: Record<string, unknown>;
  };
}

/**
 * Runs a command line in this process by the entry function of `vade`, as if its stdout were piped and its stdin empty.
 * Tests of signals, stdin, engine flags or an own PATH need a process: they take `vadeProcess`.
 */
export async function vade(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Ran> {
  if (args[0] === 'compile') countCompile();
  let stdout = '';
  let stderr = '';
  const code = await runOn(
    {
      cwd,
      env: { PATH: process.env['PATH'], ...env },
      stdout: (text) => (stdout += text),
      stderr: (text) => (stderr += text),
      stdin: () => Readable.from([]),
      output: () => new PassThrough(),
      machine: true,
      interactive: false,
      ended: new Promise(() => undefined),
    },
    args,
    await registryFor(args),
  );
  return declared(code, stdout, stderr);
}

/** Runs the built `vade` as its user would, in a process with stdout piped; `flags` are those of the engine. */
export async function vadeProcess(
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<Ran> {
  const { code, stdout, stderr } = await start(args, cwd, env, flags).ended;
  return declared(code, stdout, stderr);
}

/** @throws for a run that ended as its command does not declare */
function declared(code: number | null, stdout: string, stderr: string): Ran {
  const ran = { code, stdout, stderr, envelope: () => JSON.parse(stdout) as ReturnType<Ran['envelope']> };
  const undeclared = undeclaredEnd(ran);
  if (undeclared !== null) throw new Error(undeclared);
  return ran;
}

/** Every run of every test ends as its command declares: by exit code, and by a code of the one table. */
function undeclaredEnd({ code, stdout }: Ran): string | null {
  if (!stdout.startsWith('{"ok"')) return null;
  const { meta, error } = JSON.parse(stdout) as ReturnType<Ran['envelope']>;
  const command = COMMANDS.get(String(meta['command']));
  const declared: readonly ExitName[] = command ? exitsOf(command) : ['SUCCESS', 'REDIRECTED', ...ALWAYS];
  const known = new Map<string, { exit: number }>(Object.entries(ERRORS));
  if (!declared.some((name) => EXIT[name] === code)) return `exit ${String(code)} is not declared: ${stdout}`;
  const told = (error as { code?: string } | null)?.code?.toLowerCase();
  if (told !== undefined && known.get(told)?.exit !== code) return `${told} does not end with ${String(code)}`;
  return command ? undeclaredData(command, JSON.parse(stdout) as Data) : null;
}

interface Data {
  readonly ok: boolean;
  readonly data: unknown;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** Data of a command that its output_schema does not declare, as an agent reads it in the manifest. */
function undeclaredData(command: Command, { ok, data, meta }: Data): string | null {
  if (!ok) return data === null ? null : `${command.path} failed, and has data`;
  // --schema and --version answer for any command alike
  if (typeof data === 'object' && data !== null && ('exit_codes' in data || Object.keys(data).join() === 'version'))
    return null;
  if (data === null && meta['not_modified'] !== true) return `${command.path} has no data`;
  const holds =
    validators.get(command) ?? new Ajv({ strict: false, validateFormats: false }).compile(outputSchema(command.output));
  validators.set(command, holds);
  return holds(data) ? null : `${command.path} answers otherwise than it says: ${JSON.stringify(holds.errors)}`;
}

const validators = new Map<Command, ValidateFunction>();

/** A running process of the built `vade`. */
export interface Started {
  readonly pid: number;
  /** Its stderr so far. */
  readonly log: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Resolves with stderr so far when that contains the text; rejects if the run ends before. */
  readonly says: (text: string) => Promise<string>;
  /** The address of a server, once it is ready. */
  readonly url: () => Promise<string>;
  readonly ended: Promise<Ran>;
}

/** Starts `vade` and collects its output; it ends by itself or by `kill`. */
export function start(
  args: readonly string[],
  cwd: string,
  more: Record<string, string> = {},
  flags: readonly string[] = [],
): Started {
  const env = { PATH: process.env['PATH'], ...more };
  const child = spawn(process.execPath, [...flags, MAIN, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  const waiting: (() => void)[] = [];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
    for (const look of waiting) look();
  });
  const ended = new Promise<Ran>((resolve) => {
    child.on('close', (code) => {
      resolve({ code, stdout, stderr, envelope: () => JSON.parse(stdout) as ReturnType<Ran['envelope']> });
    });
  });
  const says: Started['says'] = (text) =>
    new Promise((resolve, reject) => {
      const look = () => {
        if (stderr.includes(text)) resolve(stderr);
      };
      waiting.push(look);
      look();
      void ended.then((ran) => {
        reject(new Error(`it ended with ${String(ran.code)}: ${ran.stderr}`));
      });
    });
  const url = async () => {
    await says('"msg":"ready"');
    return /"url":"([^"]+)"/.exec(stderr)?.[1] ?? '';
  };
  return { pid: child.pid ?? 0, log: () => stderr, kill: (signal) => void child.kill(signal), says, url, ended };
}

/** Starts `vade serve` and waits until it is ready; `stop` ends exactly this process. */
export async function serve(args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const { kill, ended, url, pid, log } = start(['serve', '--port', '0', ...args], cwd, env);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    kill(signal);
    return (await ended).code;
  };
  return { url: await url(), pid, log, stop };
}
