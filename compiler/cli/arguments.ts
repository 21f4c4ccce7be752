import { parseArgs } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import { VadeError } from '../model/errors.ts';
import { GLOBAL_FLAGS, type Command, type Flags, type FlagSpec } from './registry.ts';

export interface ParsedArguments {
  readonly command: Command | null;
  readonly args: Readonly<Record<string, unknown>>;
  readonly global: {
    readonly format: 'json' | 'text' | undefined;
    readonly help: boolean;
    readonly quiet: boolean;
  };
}

/** The words before the first flag name the command; flags may stand anywhere after them. */
export function findCommand(
  argv: readonly string[],
  commands: ReadonlyMap<string, Command>,
): { command: Command | null; rest: string[] } {
  const words = argv.slice(0, Math.max(0, firstFlag(argv)));
  for (let length = words.length; length > 0; length--) {
    const command = commands.get(words.slice(0, length).join('.'));
    if (command) return { command, rest: argv.slice(length) };
  }
  if (words.length === 0) return { command: null, rest: [...argv] };
  const typed = words.join('.');
  const near = closest(typed, [...commands.keys()]);
  const help =
    distance(typed, near) <= 3 ? `did you mean “vade ${near.replace('.', ' ')}”?` : 'vade --help lists the commands';
  throw new VadeError('argument_invalid', `“${words.join(' ')}” is no command; ${help}`, {
    suggestion: help,
  });
}

function firstFlag(argv: readonly string[]): number {
  const at = argv.findIndex((word) => word.startsWith('-'));
  return at === -1 ? argv.length : at;
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
  const { tokens } = parseArgs({
    args: [...rest],
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  const given = new Map<string, string[]>();
  for (const token of tokens) {
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
