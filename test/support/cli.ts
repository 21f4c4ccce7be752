import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
  const child = spawn(process.execPath, [...flags, MAIN, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
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

/** Starts `vade serve` and waits until it is ready; `stop` ends exactly this process. */
export async function serve(args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, 'serve', '--port', '0', ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stderr = '';
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString('utf8');
      const ready = /"url":"([^"]+)"/.exec(stderr)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    void ended.then((code) => {
      reject(new Error(`vade serve ended with ${String(code)}: ${stderr}`));
    });
  });
  return {
    url,
    pid: child.pid ?? 0,
    log: () => stderr,
    stop: (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
