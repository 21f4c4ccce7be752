import type { World } from '../app/world/world.ts';
import { ERRORS, messageOf, VadeError } from '../schema/errors.ts';
import { findCommand, parseArguments } from './arguments.ts';
import { codeOf, EXIT, exitOf, exitsOf } from './exit.ts';
import { helpFor, helpForAll } from './help.ts';
import type { Command, Outcome, Registry } from './registry.ts';

/** Where a run writes, and what it knows of its terminal. */
export interface Stage {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly machine: boolean;
  readonly colour: boolean;
  readonly version: string;
  readonly clock: () => number;
}

/**
 * Runs one command line and answers the exit code. On stdout stands one JSON envelope, or text for
 * people; everything else goes to stderr. `ok` follows from the exit code, never from a handler.
 */
export async function runCommandLine(
  argv: readonly string[],
  registry: Registry,
  makeWorld: (noise: Noise, note: World['note']) => World,
  stage: Stage,
): Promise<number> {
  const started = stage.clock();
  const json = askedFormat(argv) ?? stage.machine;
  const outcome = { data: null, text: '' };
  const run: Run = { name: null, command: null, outcome, exit: EXIT.SUCCESS, error: null, noted: {} };
  try {
    await execute(argv, registry, makeWorld, stage, run);
  } catch (thrown) {
    const failure = asDeclared(thrown, run.command);
    run.error = describe(failure);
    run.exit = exitOf(failure);
    const name = stage.colour ? '\u001b[31mvade:\u001b[39m' : 'vade:';
    if (!json) stage.stderr(`${name} ${run.error.message}\n${helpOf(run.error)}`);
    else if (run.command?.endsItself && !SIGNALS.includes(run.exit)) stage.stderr(lastLine(run.error));
  }
  if (json && run.outcome !== null) stage.stdout(`${JSON.stringify(envelope(run, stage, started))}\n`);
  else if (run.outcome?.text) stage.stdout(`${run.outcome.text}\n`);
  return run.exit;
}

/** Exits of a command that was asked to end. */
const SIGNALS: readonly number[] = [EXIT.SIGINT, EXIT.SIGTERM];

/** Fatal, as the log of a server counts. */
const FATAL = 60;

/** A failure as the last line of a server's log: whoever runs one reads that, and nobody may read its stdout. */
function lastLine({ code, message, suggestion }: ReturnType<typeof describe>): string {
  const line = { level: FATAL, time: Date.now(), code, msg: message, ...(suggestion !== undefined && { suggestion }) };
  return `${JSON.stringify(line)}\n`;
}

/** What to do about a failure, on a line of its own; a message that says it already says it once. */
function helpOf({ message, suggestion }: ReturnType<typeof describe>): string {
  if (typeof suggestion !== 'string' || message.includes(suggestion)) return '';
  return suggestion.replace(/^/gm, '    ') + '\n';
}

/** How much a run says on stderr. */
export interface Noise {
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** What a run comes to, filled in as far as it gets; help has no outcome. */
interface Run {
  name: string | null;
  command: Command | null;
  outcome: Outcome | null;
  exit: number;
  error: ReturnType<typeof describe> | null;
  /** What the command had to say of the run, wherever it ended. */
  noted: Readonly<Record<string, unknown>>;
}

async function execute(
  argv: readonly string[],
  registry: Registry,
  makeWorld: (noise: Noise, note: World['note']) => World,
  stage: Stage,
  run: Run,
): Promise<void> {
  const { command, rest } = findCommand(argv, registry);
  run.name = command?.path ?? null;
  run.command = command;
  if (rest.includes('--help') || rest.includes('-h')) {
    explain(command, registry, stage, run);
    return;
  }
  const args = parseArguments(rest, command ?? { flags: {} }, rest.includes('--schema'));
  if (args['version'] === true) run.outcome = { data: { version: stage.version }, text: stage.version };
  else if (args['schema'] === true) run.outcome = await describeSchema(command, registry, stage);
  else if (!command) explain(command, registry, stage, run);
  else {
    const noise = { quiet: args['quiet'] === true, verbose: args['verbose'] === true };
    const world = makeWorld(noise, (meta) => (run.noted = { ...run.noted, ...meta }));
    const work = command.run(args, world);
    run.outcome = await (command.endsItself ? work : Promise.race([work, cutOff(world)]));
  }
}

/** Callers plan by the exits that a command declares: to end with another one is a defect of ours, whatever it was. */
function asDeclared(thrown: unknown, command: Command | null): unknown {
  const exit = exitOf(thrown);
  if (command === null || exitsOf(command).some((name) => EXIT[name] === exit)) return thrown;
  const message = `${command.path} does not declare exit ${exit} (${codeOf(thrown)}): ${messageOf(thrown)}`;
  return new VadeError('internal', message, thrown instanceof VadeError ? thrown.details : {});
}

/** Help goes to a person; piped, it must not pass for a command's answer. */
function explain(command: Command | null, registry: Registry, stage: Stage, run: Run): void {
  const help = command ? helpFor(command, registry) : helpForAll([...registry.commands.values()]);
  (stage.machine ? stage.stderr : stage.stdout)(`${help}\n`);
  run.outcome = null;
}

/** `--schema`: one command as it stands in the manifest, or all of them. */
async function describeSchema(command: Command | null, registry: Registry, stage: Stage): Promise<Outcome> {
  const { buildManifest, toEntry } = await import('./manifest.ts');
  const data = command ? toEntry(command, registry) : buildManifest(registry, stage.version).commands;
  return { data, text: JSON.stringify(data, null, 2) };
}

/** Rejects when a signal comes, so that the last envelope says so. */
async function cutOff(world: World): Promise<never> {
  const signal = await world.ended;
  throw new VadeError(signal === 'SIGINT' ? 'interrupted' : 'terminated', `ended by ${signal}`);
}

function envelope(run: Run, stage: Stage, started: number) {
  const meta = {
    exit_code: run.exit,
    duration_ms: stage.clock() - started,
    tool_version: stage.version,
    command: run.name,
    ...run.noted,
    ...run.outcome?.meta,
  };
  const { data = null, warnings = [] } = run.outcome ?? {};
  return { ok: run.exit === EXIT.SUCCESS, data, error: run.error, warnings, meta };
}

function askedFormat(argv: readonly string[]): boolean | null {
  const at = argv.findIndex((word) => word === '--format' || word.startsWith('--format='));
  if (at === -1) return null;
  const value = argv[at]?.split('=')[1] ?? argv[at + 1];
  return value === 'json' ? true : value === 'text' ? false : null;
}

/** Exits before which nothing has happened. */
const VALIDATION: readonly number[] = [EXIT.ARG_ERROR, EXIT.REDIRECTED];

/** What is told of a failure; a defect of ours shows its message, never its stack. */
function describe(thrown: unknown) {
  const code = codeOf(thrown);
  const { suggestion, redirect, ...context } = thrown instanceof VadeError ? thrown.details : {};
  return {
    code: code.toUpperCase(),
    message: thrown instanceof Error ? thrown.message : 'unexpected error',
    retryable: ERRORS[code].retryable,
    phase: VALIDATION.includes(exitOf(thrown)) ? 'validation' : 'execution',
    ...(suggestion !== undefined && { suggestion }),
    ...(redirect !== undefined && { redirect }),
    context,
  };
}
