/** A program that a check starts. */
export interface CommandLine {
  readonly program: string;
  readonly args: readonly string[];
  /** Folder in the checkout: `` or `crates/x`. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** Whether it fetches packages: then it may use the network. */
  readonly fetches: boolean;
}

/** End of a command, with its output. */
export type CommandEnd =
  | { readonly end: 'exit'; readonly code: number; readonly stdout: string; readonly stderr: string }
  /** It was not started: there is no such program, say. */
  | { readonly end: 'not_started'; readonly why: string }
  | { readonly end: 'too_long'; readonly seconds: number; readonly stdout: string; readonly stderr: string }
  | { readonly end: 'too_loud'; readonly stdout: string; readonly stderr: string }
  | { readonly end: 'killed'; readonly signal: string; readonly stdout: string; readonly stderr: string };

/** A command as a person would type it. */
export function shown({ program, args }: CommandLine): string {
  return [program, ...args].join(' ');
}
