import { ERRORS, messageOf, VadeError } from '../schema/errors.ts';
import { PRIVATE_FOLDER } from '../schema/source/private-files.ts';
import { endedBy } from '../world/heed-signal.ts';
import type { World } from '../world/world.ts';
import { findCommand, findHelp, parseArguments } from './arguments.ts';
import { codeOf, EXIT, exitOf, exitsOf } from './exit.ts';
import { helpFor, helpForAll, helpForGroup, shortHelp } from './help.ts';
import type { Command, CommandResult, Registry } from './registry.ts';
import { shownJson, shownText } from './shown-text.ts';

/** The output streams of a run, and the properties of its terminal. */
export interface RunContext {
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  readonly machine: boolean;
  readonly colour: boolean;
  readonly version: string;
  readonly clock: () => number;
}

/**
 * Runs one command line and returns the exit code. Stdout receives one JSON envelope, or text for
 * people; everything else goes to stderr. `ok` is computed from the exit code, never set by a handler.
 */
export async function runCommandLine(
  argv: readonly string[],
  registry: Registry,
  makeWorld: (verbosity: Verbosity, note: World['note']) => World,
  context: RunContext,
): Promise<number> {
  const started = context.clock();
  const json = requestedFormat(argv) ?? context.machine;
  const outcome = { data: null, text: '' };
  const run: Run = { name: null, command: null, outcome, exit: EXIT.SUCCESS, error: null, noted: {} };
  try {
    await execute(argv, registry, makeWorld, context, run);
  } catch (thrown) {
    const failure = asDeclared(thrown, run.command);
    run.error = describeError(failure);
    run.exit = exitOf(failure);
    const name = context.colour ? '\u001b[31mvade:\u001b[39m' : 'vade:';
    if (!json) context.stderr(`${name} ${shownText(run.error.message)}\n${shownText(helpOf(run.error))}`);
    else if (run.command?.runsUntilSignal && !SIGNALS.includes(run.exit)) context.stderr(fatalLogLine(run.error));
  }
  if (json && run.outcome !== null) context.stdout(`${shownJson(envelope(run, context, started))}\n`);
  else if (run.outcome?.text.length) context.stdout(`${shownText(run.outcome.text)}\n`);
  return run.exit;
}

/** Exit codes of a command that a signal ended. */
const SIGNALS: readonly number[] = [EXIT.SIGINT, EXIT.SIGTERM];

/** The level `fatal` of the server's log. */
const FATAL = 60;

/** An error as the last line of a server's log: operators read the log, and stdout may be discarded. */
function fatalLogLine({ code, message, suggestion }: ReturnType<typeof describeError>): string {
  const line = { level: FATAL, time: Date.now(), code, msg: message, ...(suggestion !== undefined && { suggestion }) };
  return `${shownJson(line)}\n`;
}

/** The suggestion for an error, indented on lines of its own; empty if the message already contains it. */
function helpOf({ message, suggestion }: ReturnType<typeof describeError>): string {
  if (typeof suggestion !== 'string' || message.includes(suggestion)) return '';
  return suggestion.replace(/^/gm, '    ') + '\n';
}

/** Amount of text that a run writes to stderr. */
export interface Verbosity {
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** The result of a run, filled in as it proceeds; help has no outcome. */
interface Run {
  name: string | null;
  command: Command | null;
  outcome: CommandResult | null;
  exit: number;
  error: ReturnType<typeof describeError> | null;
  /** Members that the command added to `meta`; they are kept if it fails later. */
  noted: Readonly<Record<string, unknown>>;
}

async function execute(
  argv: readonly string[],
  registry: Registry,
  makeWorld: (verbosity: Verbosity, note: World['note']) => World,
  context: RunContext,
  run: Run,
): Promise<void> {
  const about = findHelp(argv, registry);
  if (about !== null) {
    const { command, group } = about;
    const all = group === '' ? helpForAll(registry) : helpForGroup(group, registry);
    showHelp(command ? helpFor(command, registry) : all, context, run);
    return;
  }
  const { command, rest } = findCommand(argv, registry);
  run.name = command?.path ?? null;
  run.command = command;
  if (command?.ownsStdout) run.outcome = null;
  if (rest.includes('--help') || rest.includes('-h')) {
    showHelp(command ? helpFor(command, registry) : helpForAll(registry), context, run);
    return;
  }
  const args = parseArguments(rest, command ?? { flags: {} }, rest.includes('--schema'));
  if (args['version'] === true) run.outcome = { data: { version: context.version }, text: context.version };
  else if (args['schema'] === true) run.outcome = await describeSchema(command, registry, context);
  else if (!command) showHelp(shortHelp(), context, run);
  else {
    const verbosity = { quiet: args['quiet'] === true, verbose: args['verbose'] === true };
    const world = makeWorld(verbosity, (meta) => (run.noted = { ...run.noted, ...meta }));
    const work = checkOwnFiles(command, args, world).then(() => command.run(args, world));
    const outcome = await (command.runsUntilSignal ? work : Promise.race([work, rejectOnSignal(world)]));
    if (!command.ownsStdout) run.outcome = outcome;
  }
}

/** Before a command uses private files as its user's. A server reads what its audit has, others only show it. */
async function checkOwnFiles(command: Command, args: Readonly<Record<string, unknown>>, world: World): Promise<void> {
  const path = (name: string) => (typeof args[name] === 'string' ? args[name] : undefined);
  const isPrivate = (it: unknown) => typeof it === 'string' && it.startsWith(`${PRIVATE_FOLDER}/`);
  const own = {
    dev: args['dev'] === true || command.path === 'dev',
    folder: Object.values(args).some(isPrivate),
    keys: path('keys'),
    audit: command.runsUntilSignal === true ? path('audit') : undefined,
  };
  // most commands use none, and need not load the code that asks git
  if (!own.dev && !own.folder && own.keys === undefined && own.audit === undefined) return;
  const { requireOwnFiles } = await import('../world/own-files.ts');
  await requireOwnFiles(own, world);
}

/** Callers rely on the exit codes that a command declares, so an undeclared one is reported as an internal error. */
function asDeclared(thrown: unknown, command: Command | null): unknown {
  const exit = exitOf(thrown);
  if (command === null || exitsOf(command).some((name) => EXIT[name] === exit)) return thrown;
  const message = `${command.path} does not declare exit ${exit} (${codeOf(thrown)}): ${messageOf(thrown)}`;
  return new VadeError('internal', message, thrown instanceof VadeError ? thrown.details : {});
}

/** Text, without an envelope, for readers that cannot have the manifest (cli-manifest, "Fetching the manifest"). */
function showHelp(help: string, context: RunContext, run: Run): void {
  context.stdout(`${help}\n`);
  run.outcome = null;
}

/** `--schema`: the manifest's entry of one command, or of all. */
async function describeSchema(
  command: Command | null,
  registry: Registry,
  context: RunContext,
): Promise<CommandResult> {
  const { buildManifest, toEntry } = await import('./manifest.ts');
  const data = command ? toEntry(command, registry) : buildManifest(registry, context.version).commands;
  return { data, text: shownJson(data, 2) };
}

/** Rejects when a signal arrives, so that the envelope reports it. */
async function rejectOnSignal(world: World): Promise<never> {
  throw endedBy(await world.ended);
}

function envelope(run: Run, context: RunContext, started: number) {
  const meta = {
    exit_code: run.exit,
    duration_ms: context.clock() - started,
    tool_version: context.version,
    command: run.name,
    ...run.noted,
    ...run.outcome?.meta,
  };
  const { data = null, warnings = [] } = run.outcome ?? {};
  return { ok: run.exit === EXIT.SUCCESS, data, error: run.error, warnings, meta };
}

/** Formats of a command's text; only some commands write Markdown. */
const FOR_PEOPLE = ['markdown', 'text'];

/** Whether `--format` asks for JSON; null without it. Read before parsing, so that parse errors use it too. */
function requestedFormat(argv: readonly string[]): boolean | null {
  const at = argv.findIndex((word) => word === '--format' || word.startsWith('--format='));
  if (at === -1) return null;
  const value = argv[at]?.split('=')[1] ?? argv[at + 1];
  if (value === 'json') return true;
  return FOR_PEOPLE.includes(value ?? '') ? false : null;
}

/** Exit codes of errors that occur before anything is done. */
const VALIDATION: readonly number[] = [EXIT.ARG_ERROR, EXIT.REDIRECTED];

const REPORT_IT =
  'this is a fault of vade, not of your files: report this message, the command and its meta to the maintainers';

/** The `error` of the envelope; an internal error shows its message, never its stack. */
function describeError(thrown: unknown) {
  const code = codeOf(thrown);
  const { suggestion: given, redirect, ...context } = thrown instanceof VadeError ? thrown.details : {};
  const suggestion = given ?? (code === 'internal' ? REPORT_IT : undefined);
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
