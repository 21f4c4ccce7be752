import { ERRORS, VadeError } from '../model/errors.ts';
import { findCommand, parseArguments } from './arguments.ts';
import { codeOf, EXIT, exitOf } from './exit.ts';
import { helpFor, helpForAll } from './help.ts';
import type { Command, Outcome, World } from './registry.ts';

/** Where a run writes, and what it knows of its terminal. */
export interface Stage {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly machine: boolean;
  readonly version: string;
  readonly clock: () => number;
}

/**
 * Runs one command line and answers the exit code. On stdout stands one JSON envelope, or text for
 * people; everything else goes to stderr. `ok` follows from the exit code, never from a handler.
 */
export async function runCommandLine(
  argv: readonly string[],
  commands: ReadonlyMap<string, Command>,
  makeWorld: (quiet: boolean) => World,
  stage: Stage,
): Promise<number> {
  const started = stage.clock();
  const json = askedFormat(argv) ?? stage.machine;
  const run: Run = { name: null, outcome: { data: null, text: '' }, exit: EXIT.SUCCESS, error: null };
  try {
    await execute(argv, commands, makeWorld, stage, run);
  } catch (thrown) {
    run.error = describe(thrown);
    run.exit = exitOf(thrown);
    if (!json) stage.stderr(`vade: ${run.error.message}\n`);
  }
  if (json && run.outcome !== null) stage.stdout(`${JSON.stringify(envelope(run, stage, started))}\n`);
  else if (run.outcome?.text) stage.stdout(`${run.outcome.text}\n`);
  return run.exit;
}

/** What a run comes to, filled in as far as it gets; help has no outcome. */
interface Run {
  name: string | null;
  outcome: Outcome | null;
  exit: number;
  error: ReturnType<typeof describe> | null;
}

async function execute(
  argv: readonly string[],
  commands: ReadonlyMap<string, Command>,
  makeWorld: (quiet: boolean) => World,
  stage: Stage,
  run: Run,
): Promise<void> {
  const { command, rest } = findCommand(argv, commands);
  const asked = rest.some((word) => word === '--help' || word === '-h');
  if (!command) {
    const { version } = parseArguments(rest, {});
    if (version === true) run.outcome = { data: { version: stage.version }, text: stage.version };
    if (version === true) return;
  }
  if (!command || asked) {
    const help = command ? helpFor(command) : helpForAll([...commands.values()]);
    // piped help must not pass for a command's answer
    (stage.machine ? stage.stderr : stage.stdout)(`${help}\n`);
    run.outcome = null;
    return;
  }
  run.name = command.path;
  const args = parseArguments(rest, command.flags);
  const world = makeWorld(args['quiet'] === true);
  const work = command.run(args, world);
  run.outcome = await (command.endsItself ? work : Promise.race([work, cutOff(world)]));
  run.exit = EXIT[run.outcome.exit ?? 'SUCCESS'];
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

/** What is told of a failure; a defect of ours shows its message, never its stack. */
function describe(thrown: unknown) {
  const code = codeOf(thrown);
  const context = thrown instanceof VadeError ? thrown.details : {};
  return {
    code: code.toUpperCase(),
    message: thrown instanceof Error ? thrown.message : 'something unexpected went wrong',
    retryable: ERRORS[code].retryable,
    phase: code === 'argument_invalid' ? 'validation' : 'execution',
    context,
  };
}
