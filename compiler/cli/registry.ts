import type { z } from 'zod';
import type { Arguments, Flags } from '../world/flags/flag.ts';
import type { PrintedText, Warning, World } from '../world/world.ts';
import type { ExitName } from './exit.ts';

/** The limit for input that is read into memory. */
export const MAX_INPUT_BYTES = 65_536;

/** The result of a command: data for programs, and the same as text for people. */
export interface CommandResult {
  readonly data: object | null;
  readonly text: PrintedText;
  readonly warnings?: readonly Warning[];
  /** More members of the envelope's `meta`, such as the pagination of a list. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** Rights that a command may need from its caller: signing keys, and access to an audit. */
export const SCOPES = {
  'bundle:sign': 'a signing key of the trust root: --key, VADE_SIGNING_KEY, or --dev',
  'admin:sign': 'the key of an administrator of the trust root',
  'root:sign': 'a key that may sign the next trust root',
  'agent:seal': 'the key of the orchestrator: --key, or VADE_ORCHESTRATOR_KEY',
  'audit:read': 'read access to the audit: its file and keys, or a role of its database',
  'audit:write': 'write access to the audit: its file and keys, or a role of its database',
} as const;

type Scope = keyof typeof SCOPES;

export type Danger = 'safe' | 'mutating' | 'destructive';

export interface Command {
  /** Words after `vade`, joined by dots: `key.create`. */
  readonly path: string;
  readonly description: string;
  readonly danger: Danger;
  /** Rights that it needs from its caller, whatever the flags; absent if read access to the files is enough. */
  readonly scopes?: readonly Scope[];
  /** Other names that run it. */
  readonly aliases?: readonly string[];
  readonly flags: Flags;
  /** The flag that a word without a flag's name gives: `vade model pin <name>` is `--name <name>`. */
  readonly operand?: string;
  /** Sets of flags; exactly one flag of each set is required. */
  readonly oneOf?: readonly (readonly string[])[];
  /** Its exit codes, besides those of every command. */
  readonly exits: readonly ExitName[];
  /** Shape of `data` on success. */
  readonly output: z.ZodType;
  /** Runs until a signal and shuts down itself; its stderr is a log, also of its errors. Others are interrupted. */
  readonly runsUntilSignal?: true;
  /** Speaks a protocol on stdout, so nothing else is written there: its result and its errors are not. */
  readonly ownsStdout?: true;
  readonly examples: readonly { readonly description: string; readonly command: string }[];
  readonly run: (args: Readonly<Record<string, unknown>>, world: World) => Promise<CommandResult>;
}

/** Defines a command; the handler's arguments are typed by its flags. */
export function defineCommand<const F extends Flags>(
  command: Omit<Command, 'run' | 'flags'> & {
    readonly flags: F;
    readonly run: (args: Arguments<F>, world: World) => Promise<CommandResult>;
  },
): Command {
  // the caller passes only arguments that were parsed by these flags
  return { ...command, run: (args, world) => command.run(args as Arguments<F>, world) };
}

/** Flags of every command. */
export const GLOBAL_FLAGS = {
  format: {
    type: 'enum',
    values: ['json', 'text'],
    description: 'Default on a terminal: text',
  },
  help: { type: 'boolean', short: 'h', description: 'Explain the command' },
  quiet: { type: 'boolean', short: 'q', description: 'Only errors on stderr' },
  schema: { type: 'boolean', description: 'Describe the command as JSON' },
  verbose: { type: 'boolean', short: 'v', description: 'More on stderr' },
  version: { type: 'boolean', description: 'The version of vade' },
} as const satisfies Flags;

/** The flags of a command as agents and people read them: a description says what holds for several flags at once. */
export function describedFlags({ flags, oneOf = [], operand }: Pick<Command, 'flags' | 'oneOf' | 'operand'>): Flags {
  const isEither = 'trust' in flags && 'dev' in flags;
  return Object.fromEntries(
    Object.entries(flags).map(([name, spec]) => {
      const set = oneOf.find((names) => names.includes(name));
      const notes = [
        spec.description,
        ...(set ? [`give exactly one of ${set.map((it) => `--${it}`).join(', ')}`] : []),
        ...(name === operand ? ['its name may be left out'] : []),
        ...(isEither && name === 'trust' ? ['give it or --dev'] : []),
        ...(isEither && name === 'dev' ? ['give it or --trust'] : []),
      ];
      return [name, { ...spec, description: notes.join('; ') }];
    }),
  );
}

/** All commands; frozen. */
export interface Registry {
  readonly commands: ReadonlyMap<string, Command>;
  /** Former names of commands, with their current paths. */
  readonly moved: ReadonlyMap<string, string>;
}

/** Freezes the registry; a name that is used twice is an internal error. */
export function closeRegistry(commands: readonly Command[], moved: Readonly<Record<string, string>>): Registry {
  const sorted = [...commands].sort((a, b) => (a.path < b.path ? -1 : 1)).map((it) => Object.freeze(it));
  const names = sorted.flatMap((it) => [it.path, ...(it.aliases ?? [])]);
  if (new Set(names).size !== names.length) throw new TypeError('two commands have one name');
  return Object.freeze({ commands: new Map(sorted.map((it) => [it.path, it])), moved: new Map(Object.entries(moved)) });
}

/** The commands directly below a path. A command may have some and be runnable itself: `probe`, `probe suggest`. */
export function commandsBelow(path: string, { commands }: Registry): Command[] {
  return [...commands.values()].filter((it) => groupOf(it.path) === path);
}

/** The path above a command; empty for one at the top level. */
function groupOf(path: string): string {
  return path.split('.').slice(0, -1).join('.');
}

/** The groups that are not commands themselves, such as `key`. */
export function bareGroups({ commands }: Registry): string[] {
  const groups = new Set([...commands.keys()].map(groupOf));
  return [...groups].filter((group) => group !== '' && !commands.has(group));
}
