/** What a command may touch of the world it runs in. */
export interface World {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  readonly random: (bytes: number) => Buffer;
  /** One line for people, on stderr; nothing under `--quiet`. */
  readonly say: (line: string) => void;
  /** One line for who asks for more, on stderr; only under `--verbose`. */
  readonly detail: (line: string) => void;
  /** More for the envelope's `meta`, whatever the run comes to. */
  readonly note: (meta: Readonly<Record<string, unknown>>) => void;
  /** Standard input to its end, at most 64 KiB of it. @throws argument_invalid */
  readonly stdin: () => Promise<string>;
  /** Long work's progress, on stderr. */
  readonly progress: (label: string, done: number, total: number) => void;
  /** Resolves with the signal that asks the process to end. */
  readonly ended: Promise<'SIGINT' | 'SIGTERM'>;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly context?: object;
}
