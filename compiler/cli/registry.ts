import type { z } from 'zod';
import type { Warning, World } from '../app/world/world.ts';
import type { ExitName } from './exit.ts';

/** One named flag of a command. A default makes the argument present; so does `required`. */
export type FlagSpec = {
  readonly description: string;
  readonly required?: true;
  readonly short?: string;
} & (
  | {
      readonly type: 'string';
      readonly default?: string;
      /** Names something: letters, digits and hyphens. */
      readonly id?: true;
      /** Is kept, and shown to others: it stays on one line. */
      readonly line?: true;
    }
  | {
      readonly type: 'integer';
      readonly default?: number;
      readonly min?: number;
      readonly max?: number;
    }
  | { readonly type: 'boolean' }
  | { readonly type: 'array'; readonly id?: true }
  | { readonly type: 'enum'; readonly values: readonly string[]; readonly default?: string }
);

export type Flags = Readonly<Record<string, FlagSpec>>;

type Value<F extends FlagSpec> = F extends { type: 'boolean' }
  ? boolean
  : F extends { type: 'integer' }
    ? number
    : F extends { type: 'array' }
      ? readonly string[]
      : F extends { type: 'enum'; values: readonly (infer V)[] }
        ? V
        : string;

type Present = { readonly required: true } | { readonly default: unknown } | { readonly type: 'boolean' | 'array' };

/** The handler's arguments, inferred from the flags. */
export type Arguments<F extends Flags> = {
  readonly [K in keyof F]: F[K] extends Present ? Value<F[K]> : Value<F[K]> | undefined;
};

/** Input that is read whole stops here. */
export const MAX_INPUT_BYTES = 65_536;

/** What a command ends with: data for programs, the same for people. */
export interface Outcome {
  readonly data: object | null;
  readonly text: string;
  readonly warnings?: readonly Warning[];
  /** More for the envelope's `meta`, such as the page that a list is. */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** What a command may need of its caller: keys that sign, and rights to an audit. */
export const SCOPES = {
  'bundle:sign': 'a signing key of the trust root: --key, VADE_SIGNING_KEY, or --dev',
  'admin:sign': 'the key of an administrator of the trust root',
  'root:sign': 'a key that may sign the next trust root',
  'audit:read': 'to read the audit: its file and keys, or a role of its database',
  'audit:write': 'to write the audit: its file and keys, or a role of its database',
} as const;

type Scope = keyof typeof SCOPES;

export type Danger = 'safe' | 'mutating' | 'destructive';

export interface Command {
  /** Words after `vade`, joined by dots: `key.create`. */
  readonly path: string;
  readonly description: string;
  readonly danger: Danger;
  /** What its caller needs, whatever the flags; nothing where anybody may run it who can read the files. */
  readonly scopes?: readonly Scope[];
  /** Other names that run it. */
  readonly aliases?: readonly string[];
  readonly flags: Flags;
  /** Sets of flags of which exactly one has to be given. */
  readonly oneOf?: readonly (readonly string[])[];
  /** What it may end with, besides what may end any command. */
  readonly exits: readonly ExitName[];
  /** Shape of `data` on success. */
  readonly output: z.ZodType;
  /** Runs on until a signal asks it to end; its stderr is a log, which tells its failure too. Any other command is cut off. */
  readonly endsItself?: true;
  readonly examples: readonly { readonly description: string; readonly command: string }[];
  readonly run: (args: Readonly<Record<string, unknown>>, world: World) => Promise<Outcome>;
}

/** Defines a command; the handler's arguments are typed by its flags. */
export function defineCommand<const F extends Flags>(
  command: Omit<Command, 'run' | 'flags'> & {
    readonly flags: F;
    readonly run: (args: Arguments<F>, world: World) => Promise<Outcome>;
  },
): Command {
  // the frame hands in only what was parsed against these very flags
  return { ...command, run: (args, world) => command.run(args as Arguments<F>, world) };
}

/** Flags of every command that reads a bundle (DESIGN §8). */
export const BUNDLE_FLAGS = {
  bundle: { type: 'string', default: 'bundle', description: 'Folder of the bundle' },
  trust: { type: 'string', description: 'Trust root to believe, handed in from outside' },
  dev: { type: 'boolean', description: 'Use the development trust root and key of .vade/' },
} as const satisfies Flags;

/** Flags of every command. */
export const GLOBAL_FLAGS = {
  format: {
    type: 'enum',
    values: ['json', 'text'],
    description: 'Default: json off a terminal',
  },
  help: { type: 'boolean', short: 'h', description: 'Explain the command' },
  quiet: { type: 'boolean', short: 'q', description: 'Only failures on stderr' },
  schema: { type: 'boolean', description: 'Describe the command as JSON' },
  verbose: { type: 'boolean', short: 'v', description: 'More on stderr' },
  version: { type: 'boolean', description: 'The version of vade' },
} as const satisfies Flags;

/** What a mutating command would do, without doing it. */
export const DRY_RUN = { type: 'boolean', description: 'Say what would happen, and change nothing' } as const;

/** The go-ahead for what cannot be undone. */
export const YES = { type: 'boolean', description: 'Go ahead; without it nothing is changed' } as const;

/** Flags of every list. */
export const PAGE_FLAGS = {
  limit: { type: 'integer', default: 20, min: 0, max: 10_000, description: 'Items on a page; 0 for all' },
  cursor: { type: 'string', description: 'Where the page begins: meta.pagination.next_cursor of the one before' },
} as const satisfies Flags;

/** All commands, closed: nothing is registered after this. */
export interface Registry {
  readonly commands: ReadonlyMap<string, Command>;
  /** Names that commands had before, and the paths they have now. */
  readonly moved: ReadonlyMap<string, string>;
}

/** Closes the registry; a name that is taken twice is a defect. */
export function closeRegistry(commands: readonly Command[], moved: Readonly<Record<string, string>>): Registry {
  const sorted = [...commands].sort((a, b) => (a.path < b.path ? -1 : 1)).map((it) => Object.freeze(it));
  const names = sorted.flatMap((it) => [it.path, ...(it.aliases ?? [])]);
  if (new Set(names).size !== names.length) throw new TypeError('two commands have one name');
  return Object.freeze({ commands: new Map(sorted.map((it) => [it.path, it])), moved: new Map(Object.entries(moved)) });
}

/** The commands right below a path, by name; a command may have some, and be run itself: `probe`, `probe suggest`. */
export function commandsBelow(path: string, { commands }: Registry): Command[] {
  return [...commands.values()].filter((it) => groupOf(it.path) === path);
}

/** The path above a command; empty for one that stands alone. */
function groupOf(path: string): string {
  return path.split('.').slice(0, -1).join('.');
}

/** The groups that are no commands themselves, such as `key`. */
export function bareGroups({ commands }: Registry): string[] {
  const groups = new Set([...commands.keys()].map(groupOf));
  return [...groups].filter((group) => group !== '' && !commands.has(group));
}
