import type { ExitName } from './exit.ts';

/** One named flag of a command. A default makes the argument present; so does `required`. */
export type FlagSpec = {
  readonly description: string;
  readonly required?: true;
  readonly short?: string;
} & (
  | { readonly type: 'string'; readonly default?: string }
  | {
      readonly type: 'integer';
      readonly default?: number;
      readonly min?: number;
      readonly max?: number;
    }
  | { readonly type: 'boolean' }
  | { readonly type: 'array' }
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

/** What a command may touch of the world it runs in. */
export interface World {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  readonly random: (bytes: number) => Buffer;
  /** One line for people, on stderr; nothing under `--quiet`. */
  readonly say: (line: string) => void;
  /** Long work's progress, on stderr. */
  readonly progress: (label: string, done: number, total: number) => void;
  /** Resolves with the signal that asks the process to end. */
  readonly ended: Promise<'SIGINT' | 'SIGTERM'>;
}

/** What a command ends with: data for programs, the same for people. */
export interface Outcome {
  readonly data: object | null;
  readonly text: string;
  readonly warnings?: readonly Warning[];
  /** Which success this is; anything but a failure, which is thrown. */
  readonly exit?: ExitName;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly context?: object;
}

export type Danger = 'safe' | 'mutating' | 'destructive';

export interface Command {
  /** Words after `vade`, joined by dots: `key.create`. */
  readonly path: string;
  readonly description: string;
  readonly danger: Danger;
  readonly flags: Flags;
  readonly exits: readonly ExitName[];
  /** Ends itself when a signal asks for it; any other command is cut off. */
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
    description: 'Output format; json where stdout is no terminal',
  },
  help: { type: 'boolean', short: 'h', description: 'Explain the command' },
  quiet: { type: 'boolean', short: 'q', description: 'Nothing on stderr but failures' },
  version: { type: 'boolean', description: 'The version of vade' },
} as const satisfies Flags;
