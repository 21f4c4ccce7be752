import { parseArgs } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import { VadeError } from '../schema/errors.ts';
import { typedWord } from '../schema/shell-word.ts';
import type { FlagSpec, Flags } from '../world/flags/flag.ts';
import { bareGroups, commandsBelow, GLOBAL_FLAGS, type Command, type Registry } from './registry.ts';

/** A command line: the command that it names, and the words that remain to be parsed by its flags. */
export interface CommandLine {
  readonly command: Command | null;
  readonly rest: readonly string[];
}

/**
 * Finds the command that a command line names; flags may come before, between and after its words.
 *
 * @throws argument_invalid, command_redirected for a former name of a command
 */
export function findCommand(argv: readonly string[], registry: Registry): CommandLine {
  const every = Object.assign({}, GLOBAL_FLAGS, ...[...registry.commands.values()].map((it) => it.flags)) as Flags;
  const words = tokensOf(argv, every).flatMap((it) => (it.kind === 'positional' ? [it] : []));
  for (let length = words.length; length > 0; length--) {
    const taken = words.slice(0, length);
    const indexes = new Set(taken.map((it) => it.index));
    const rest = argv.filter((_, index) => !indexes.has(index));
    const path = taken.map((it) => it.value).join('.');
    const command = byName(registry, path);
    const next = words[length]?.value;
    if (command && next !== undefined && isTypo(command.path, next, registry)) break;
    if (command) return { command, rest };
    const now = registry.moved.get(path);
    if (now !== undefined) throw redirected(path, now, rest);
  }
  if (words.length === 0) return { command: null, rest: argv };
  throw unknownCommand(
    words.map((it) => it.value),
    registry,
  );
}

/** The subject of a call for help. */
export interface Help {
  /** Null for a group, or for everything. */
  readonly command: Command | null;
  /** Empty for everything. */
  readonly group: string;
}

/**
 * The subject of `vade help …`, or of `--help` after a group such as `trust`; null for any other command line.
 *
 * @throws argument_invalid, command_redirected as for a call of the command
 */
export function findHelp(argv: readonly string[], registry: Registry): Help | null {
  const isCalled = argv[0] === 'help';
  const names = (isCalled ? argv.slice(1) : argv).filter((word) => !word.startsWith('-'));
  const asks = isCalled || argv.includes('--help') || argv.includes('-h');
  if (!asks) return null;
  const group = names.join('.');
  if (bareGroups(registry).includes(group)) return { command: null, group };
  if (!isCalled) return null;
  const { command, rest } = findCommand(names, registry);
  if (rest.length > 0) throw unknownCommand(names, registry);
  return { command, group: '' };
}

/** Whether a word after a command is a misspelled name of a command below it: `probe sugest`. */
function isTypo(path: string, next: string, registry: Registry): boolean {
  const below = commandsBelow(path, registry).map((it) => it.path);
  return closestPath(`${path}.${next}`, below) !== null;
}

function byName({ commands }: Registry, path: string): Command | undefined {
  return commands.get(path) ?? [...commands.values()].find((it) => it.aliases?.includes(path));
}

function redirected(path: string, now: string, rest: readonly string[]): VadeError {
  const command = ['vade', ...now.split('.'), ...rest.map(typedWord)].join(' ');
  const redirect = { command, permanent: true, reason: 'renamed' };
  return new VadeError('command_redirected', `“${path.replaceAll('.', ' ')}” is now “${now}”`, { redirect });
}

function unknownCommand(words: readonly string[], registry: Registry): VadeError {
  const typed = words.join(' ');
  const suggestion = suggestionFor(words, [...registry.commands.keys()]);
  const what = bareGroups(registry).includes(words.join('.')) ? 'a group of commands' : 'no command';
  return new VadeError('argument_invalid', `“${typed}” is ${what}; ${suggestion}`, { suggestion });
}

/** Tries fewer and fewer of the words: the last ones may not belong to a command's name. */
function suggestionFor(words: readonly string[], paths: readonly string[]): string {
  for (let length = words.length; length > 0; length--) {
    const typed = words.slice(0, length).join('.');
    const below = paths.filter((it) => it.startsWith(`${typed}.`));
    if (below.length > 0) return `choose one of ${below.map(asTyped).join(', ')}`;
    const near = closestPath(typed, paths);
    if (near !== null) return `did you mean “${asTyped(near)}”?`;
  }
  return 'vade --help lists the commands';
}

/** The command's path that the user may have meant; null if none is similar. */
function closestPath(typed: string, paths: readonly string[]): string | null {
  if (paths.length === 0) return null;
  const below = paths.find((it) => it.endsWith(`.${typed}`));
  if (below !== undefined) return below;
  const near = closest(typed, [...paths]);
  return distance(typed, near) <= 3 ? near : null;
}

function asTyped(path: string): string {
  return `vade ${path.replaceAll('.', ' ')}`;
}

function tokensOf(args: readonly string[], flags: Flags) {
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, spec]) => [
      name,
      {
        type: spec.type === 'boolean' ? ('boolean' as const) : ('string' as const),
        multiple: true,
        ...(spec.short !== undefined && { short: spec.short }),
      },
    ]),
  );
  return parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true }).tokens;
}

/**
 * Parses and checks the arguments of a command; one error lists every problem.
 *
 * @param lenient no flag is required, as for a command that is only described
 * @throws argument_invalid
 */
export function parseArguments(
  rest: readonly string[],
  command: Pick<Command, 'flags' | 'oneOf' | 'operand'>,
  lenient = false,
): Record<string, unknown> {
  const all: Flags = { ...GLOBAL_FLAGS, ...command.flags };
  const problems: string[] = [];
  const given = collect(rest, all, command.operand, problems);
  const args: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(all)) {
    const { required: _, ...optional } = spec;
    args[name] = readValue(name, lenient ? optional : spec, given.get(name) ?? [], problems);
  }
  for (const names of lenient ? [] : (command.oneOf ?? [])) {
    const flags = names.map((it) => `--${it}`).join(', ');
    if (names.filter((it) => given.has(it)).length !== 1) problems.push(`give exactly one of ${flags}`);
  }
  if (problems.length === 0) return args;
  throw new VadeError('argument_invalid', problems.join('; '), { faults: problems });
}

function collect(
  rest: readonly string[],
  flags: Flags,
  operand: string | undefined,
  problems: string[],
): Map<string, string[]> {
  const given = new Map<string, string[]>();
  for (const token of tokensOf(rest, flags)) {
    if (token.kind === 'positional' && operand !== undefined)
      given.set(operand, [...(given.get(operand) ?? []), token.value]);
    else if (token.kind === 'positional')
      problems.push(`“${token.value}” is not a flag; put the name of its flag before it`);
    if (token.kind !== 'option') continue;
    const spec = flags[token.name];
    if (!spec) problems.push(unknownFlag(token.rawName, Object.keys(flags)));
    else if (spec.type !== 'boolean' && token.value === undefined) problems.push(`--${token.name} needs a value`);
    else if (spec.type === 'boolean' && token.value !== undefined) problems.push(`--${token.name} takes no value`);
    else given.set(token.name, [...(given.get(token.name) ?? []), token.value ?? '']);
  }
  return given;
}

function unknownFlag(raw: string, known: readonly string[]): string {
  const typed = raw.replace(/^-+/, '');
  const near = closest(typed, [...known]);
  const isNear = near.startsWith(typed) || distance(typed, near) <= Math.ceil(typed.length / 3);
  return `unknown flag ${raw}; ${isNear ? `did you mean --${near}?` : '--help lists those of this command'}`;
}

function readValue(name: string, spec: FlagSpec, values: readonly string[], problems: string[]): unknown {
  if (spec.type === 'array') return values.map((value) => readText(name, spec, value, problems));
  if (values.length > 1) problems.push(`--${name} is given ${values.length} times`);
  if (spec.type === 'boolean') return values.length > 0;
  const [value] = values;
  if (value === undefined) {
    if (spec.required) problems.push(`--${name} is required`);
    return spec.default;
  }
  return spec.type === 'integer' ? readInteger(name, spec, value, problems) : readText(name, spec, value, problems);
}

function readInteger(
  name: string,
  spec: Extract<FlagSpec, { type: 'integer' }>,
  value: string,
  problems: string[],
): number {
  const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = spec;
  if (Number.isNaN(number)) problems.push(`--${name} “${value}” is not an integer`);
  else if (number < min || number > max) problems.push(`--${name} ${value} is not between ${min} and ${max}`);
  return number;
}

function readText(name: string, spec: FlagSpec, value: string, problems: string[]): string {
  if (spec.type === 'enum' && !spec.values.includes(value)) {
    problems.push(`--${name} “${value}” is not one of ${spec.values.join(', ')}`);
  }
  if (value.includes('\0')) problems.push(`--${name} contains a NUL character`);
  else if ('line' in spec && /[\p{Cc}\u2028\u2029]/u.test(value)) {
    problems.push(`--${name} contains a line break or another control character; write it on one line`);
  }
  // untrusted input: an ID has no `..`, no percent-encoding and no line break
  if ('id' in spec && !/^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/.test(value))
    problems.push(`--${name} “${value}” is not a name or ID`);
  return value;
}
