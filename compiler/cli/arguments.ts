import { parseArgs } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import { VadeError } from '../schema/errors.ts';
import {
  bareGroups,
  commandsBelow,
  GLOBAL_FLAGS,
  type Command,
  type Flags,
  type FlagSpec,
  type Registry,
} from './registry.ts';

/** A command line taken apart: the command it names, and what is left to parse against its flags. */
export interface Called {
  readonly command: Command | null;
  readonly rest: readonly string[];
}

/**
 * Finds the command that the words of a line name; flags may stand before, between and after them.
 *
 * @throws argument_invalid, command_redirected for a name that a command had before
 */
export function findCommand(argv: readonly string[], registry: Registry): Called {
  const every = Object.assign({}, GLOBAL_FLAGS, ...[...registry.commands.values()].map((it) => it.flags)) as Flags;
  const words = tokensOf(argv, every).flatMap((it) => (it.kind === 'positional' ? [it] : []));
  for (let length = words.length; length > 0; length--) {
    const taken = words.slice(0, length);
    const indexes = new Set(taken.map((it) => it.index));
    const rest = argv.filter((_, index) => !indexes.has(index));
    const path = taken.map((it) => it.value).join('.');
    const command = byName(registry, path);
    const next = words[length]?.value;
    if (command && next !== undefined && isSlip(command.path, next, registry)) break;
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

/** Whether a word after a command is nearly the name of one below it: `probe sugest`. */
function isSlip(path: string, next: string, registry: Registry): boolean {
  const below = commandsBelow(path, registry).map((it) => it.path);
  return nearest(`${path}.${next}`, below) !== null;
}

function byName({ commands }: Registry, path: string): Command | undefined {
  return commands.get(path) ?? [...commands.values()].find((it) => it.aliases?.includes(path));
}

function redirected(path: string, now: string, rest: readonly string[]): VadeError {
  const command = ['vade', ...now.split('.'), ...rest.map(quoted)].join(' ');
  const redirect = { command, permanent: true, reason: 'renamed' };
  return new VadeError('command_redirected', `“${path.replaceAll('.', ' ')}” is now “${now}”`, { redirect });
}

/** A word as a shell takes it. */
export function quoted(word: string): string {
  return /^[\w./:=@,+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function unknownCommand(words: readonly string[], registry: Registry): VadeError {
  const typed = words.join(' ');
  const suggestion = suggestionFor(words, [...registry.commands.keys()]);
  const what = bareGroups(registry).includes(words.join('.')) ? 'a group of commands' : 'no command';
  return new VadeError('argument_invalid', `“${typed}” is ${what}; ${suggestion}`, { suggestion });
}

/** Goes by fewer and fewer of the words: the last ones may be no part of a name. */
function suggestionFor(words: readonly string[], paths: readonly string[]): string {
  for (let length = words.length; length > 0; length--) {
    const typed = words.slice(0, length).join('.');
    const below = paths.filter((it) => it.startsWith(`${typed}.`));
    if (below.length > 0) return `say which: ${below.map(asTyped).join(', ')}`;
    const near = nearest(typed, paths);
    if (near !== null) return `did you mean “${asTyped(near)}”?`;
  }
  return 'vade --help lists the commands';
}

/** The path that somebody may have meant; null where none is near. */
function nearest(typed: string, paths: readonly string[]): string | null {
  if (paths.length === 0) return null;
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
 * Parses and checks the arguments of a command; every fault is told at once.
 *
 * @param lenient nothing is required, where the command is only described
 * @throws argument_invalid
 */
export function parseArguments(
  rest: readonly string[],
  command: Pick<Command, 'flags' | 'oneOf'>,
  lenient = false,
): Record<string, unknown> {
  const all: Flags = { ...GLOBAL_FLAGS, ...command.flags };
  const faults: string[] = [];
  const given = collect(rest, all, faults);
  const args: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(all)) {
    const { required: _, ...optional } = spec;
    args[name] = readValue(name, lenient ? optional : spec, given.get(name) ?? [], faults);
  }
  for (const names of lenient ? [] : (command.oneOf ?? [])) {
    const flags = names.map((it) => `--${it}`).join(', ');
    if (names.filter((it) => given.has(it)).length !== 1) faults.push(`give exactly one of ${flags}`);
  }
  if (faults.length === 0) return args;
  throw new VadeError('argument_invalid', faults.join('; '), { faults });
}

function collect(rest: readonly string[], flags: Flags, faults: string[]): Map<string, string[]> {
  const given = new Map<string, string[]>();
  for (const token of tokensOf(rest, flags)) {
    if (token.kind === 'positional') faults.push(`“${token.value}” is not a flag; name the flag that it is for`);
    if (token.kind !== 'option') continue;
    const spec = flags[token.name];
    if (!spec) faults.push(unknownFlag(token.rawName, Object.keys(flags)));
    else if (spec.type !== 'boolean' && token.value === undefined) faults.push(`--${token.name} needs a value`);
    else if (spec.type === 'boolean' && token.value !== undefined) faults.push(`--${token.name} takes no value`);
    else given.set(token.name, [...(given.get(token.name) ?? []), token.value ?? '']);
  }
  return given;
}

function unknownFlag(raw: string, known: readonly string[]): string {
  const near = closest(raw.replace(/^-+/, ''), [...known]);
  return `unknown flag ${raw}; did you mean --${near}?`;
}

function readValue(name: string, spec: FlagSpec, values: readonly string[], faults: string[]): unknown {
  if (spec.type === 'array') return values.map((value) => readText(name, spec, value, faults));
  if (values.length > 1) faults.push(`--${name} is given ${values.length} times`);
  if (spec.type === 'boolean') return values.length > 0;
  const [value] = values;
  if (value === undefined) {
    if (spec.required) faults.push(`--${name} is required`);
    return spec.default;
  }
  return spec.type === 'integer' ? readInteger(name, spec, value, faults) : readText(name, spec, value, faults);
}

function readInteger(
  name: string,
  spec: Extract<FlagSpec, { type: 'integer' }>,
  value: string,
  faults: string[],
): number {
  const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = spec;
  if (Number.isNaN(number)) faults.push(`--${name} “${value}” is no whole number`);
  else if (number < min || number > max) faults.push(`--${name} ${value} is not between ${min} and ${max}`);
  return number;
}

function readText(name: string, spec: FlagSpec, value: string, faults: string[]): string {
  if (spec.type === 'enum' && !spec.values.includes(value)) {
    faults.push(`--${name} “${value}” is none of ${spec.values.join(', ')}`);
  }
  if (value.includes('\0')) faults.push(`--${name} holds a NUL`);
  else if ('line' in spec && /[\p{Cc}\u2028\u2029]/u.test(value)) {
    faults.push(`--${name} holds a line break or another control character; write it on one line`);
  }
  // untrusted input: an id never climbs, is never encoded, and stays on its line
  if ('id' in spec && !/^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/.test(value))
    faults.push(`--${name} “${value}” is no name or id`);
  return value;
}
