import type { Readable, Writable } from 'node:stream';

/** Text for people: as one text, which keeps its line ends, or as lines, of which none begins another. */
export type PrintedText = string | readonly string[];

/** The side effects that a command may have, as arguments. */
export interface World {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  readonly random: (bytes: number) => Buffer;
  /** Prints text for people on stderr; nothing with `--quiet`. */
  readonly say: (text: PrintedText) => void;
  /** Prints text on stderr, only with `--verbose`. */
  readonly detail: (text: PrintedText) => void;
  /** Adds fields to the `meta` of the output, whether the run succeeds or fails. */
  readonly note: (meta: Readonly<Record<string, unknown>>) => void;
  /** Reads standard input to its end, at most so many bytes, or 64 KiB. @throws argument_invalid */
  readonly stdin: (most?: number) => Promise<string>;
  /** Standard input and output, for a command that speaks a protocol on them. */
  readonly streams: () => { readonly input: Readable; readonly output: Writable };
  /** Prints the progress of long work on stderr. */
  readonly progress: (label: string, done: number, total: number) => void;
  /** The same on a terminal alone, for a command whose lines on stderr are its result. */
  readonly progressOnTerminal: World['progress'];
  /** Resolves with the signal that ends the process. */
  readonly ended: Promise<'SIGINT' | 'SIGTERM'>;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly context?: object;
}
