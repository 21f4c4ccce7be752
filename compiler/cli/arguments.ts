import { parseArgs } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import { VadeError } from '../model/errors.ts';
import { GLOBAL_FLAGS, type Command, type Flags, type FlagSpec } from './registry.ts';

/** A command line taken apart: the command it names, and what is left to parse against its flags. */
export interface Called {
  readonly command: Command | null;
  readonly rest: readonly string[];
}

/** Finds the command that the words of a line name; flags may stand before, between and after them. */
export function findCommand(argv: readonly string[], commands: ReadonlyMap<string, Command>): Called {
  const every = Object.assign({}, GLOBAL_FLAGS, ...[...commands.values()].map((it) => it.flags)) as Flags;
  const words = tokensOf(argv, every).flatMap((it) => (it.kind === 'positional' ? [it] : []));
  for (let length = words.length; length > 0; length--) {
    const taken = words.slice(0, length);
    const command = commands.get(taken.map((it) => it.value).join('.'));
    const indexes = new Set(taken.map((it) => it.index));
    if (command) return { command, rest: argv.filter((_, index) => !indexes.has(index)) };
  }
  if (words.length === 0) return { command: null, rest: argv };
  const typed = words.map((it) => it.value).join(' ');
  const near = closest(typed.replaceAll(' ', '.'), [...commands.keys()]).replaceAll('.', ' ');
  const help = distance(typed, near) <= 3 ? `did you mean “vade ${near}”?` : 'vade --help lists the commands';
  throw new VadeError('argument_invalid', `“${typed}” is no command; ${help}`, { suggestion: help });
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

/** Parses and checks the arguments of a command; every fault is told at once. @throws argument_invalid */
export function parseArguments(rest: readonly string[], flags: Flags): Record<string, unknown> {
  const all: Flags = { ...GLOBAL_FLAGS, ...flags };
  const faults: string[] = [];
  const given = collect(rest, all, faults);
  const args: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(all)) {
    args[name] = readValue(name, spec, given.get(name) ?? [], faults);
  }
  if (faults.length === 0) return args;
  throw new VadeError('argument_invalid', faults.join('; '), { faults });
}

function collect(rest: readonly string[], flags: Flags, faults: string[]): Map<string, string[]> {
  const given = new Map<string, string[]>();
  for (const token of tokensOf(rest, flags)) {
    if (token.kind === 'positional') faults.push(`“${token.value}” belongs to no flag; every input is a named flag`);
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
  return `${raw} is no flag of this command; did you mean --${near}?`;
}

function readValue(name: string, spec: FlagSpec, values: readonly string[], faults: string[]): unknown {
  if (spec.type === 'array') return values;
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
  return value;
}
