import { ERRORS, type ErrorCode, VadeError } from '../schema/errors.ts';

/** What ending with a code means: whether the same call may help, and what has happened by then. */
export interface ExitEntry {
  readonly code: number;
  readonly description: string;
  /** True only where nothing has happened. */
  readonly retryable: boolean;
  readonly side_effects: 'none' | 'partial' | 'complete';
}

const exit = (
  code: number,
  description: string,
  side_effects: ExitEntry['side_effects'] = 'none',
  retryable = false,
): ExitEntry => Object.freeze({ code, description, retryable, side_effects });

/** Everything a command may end with (DESIGN §6.11); the numbers stand nowhere else. */
export const EXITS = Object.freeze({
  SUCCESS: exit(0, 'Done', 'complete'),
  GENERAL_ERROR: exit(1, 'A defect, or unwritable output', 'partial'),
  PARTIAL_FAILURE: exit(2, 'Some of it was done', 'partial'),
  ARG_ERROR: exit(3, 'Wrong arguments'),
  PRECONDITION: exit(4, 'Faulty sources, a failed gate or no trust'),
  NOT_FOUND: exit(5, 'Not found'),
  CONFLICT: exit(6, 'It exists, or another process holds it'),
  PERMISSION_DENIED: exit(7, 'What was signed does not verify'),
  AUTH_REQUIRED: exit(8, 'Authentication is required'),
  TIMEOUT: exit(10, 'It took too long', 'partial'),
  UNAVAILABLE: exit(12, 'Not available now', 'none', true),
  REDIRECTED: exit(13, 'The command has another name; error.redirect.command runs'),
  SIGINT: exit(130, 'Interrupted', 'partial'),
  SIGTERM: exit(143, 'Terminated', 'partial'),
});

export type ExitName = keyof typeof EXITS;

/** The numbers alone. */
export const EXIT = Object.freeze(
  Object.fromEntries(Object.entries(EXITS).map(([name, entry]) => [name, entry.code])),
) as Readonly<Record<ExitName, number>>;

/** What may end any command, whatever it declares. */
export const ALWAYS: readonly ExitName[] = ['GENERAL_ERROR', 'ARG_ERROR', 'SIGINT', 'SIGTERM'];

/** What every command may end with that asks an audit, which may be a database. */
export const AUDIT_EXITS = ['AUTH_REQUIRED', 'TIMEOUT', 'UNAVAILABLE'] as const satisfies readonly ExitName[];

/** What every command may end with that fetches a bundle from an address. */
export const ADDRESS_EXITS = AUDIT_EXITS;

/** Every exit a command may end with, by number. */
export function exitsOf({ exits }: { readonly exits: readonly ExitName[] }): ExitName[] {
  const names = new Set<ExitName>(['SUCCESS', ...exits, ...ALWAYS]);
  return [...names].sort((a, b) => EXITS[a].code - EXITS[b].code);
}

/** The exit code of a failure: that of its error code, or a general error for a defect of ours. */
export function exitOf(thrown: unknown): number {
  return thrown instanceof VadeError ? ERRORS[thrown.code].exit : EXIT.GENERAL_ERROR;
}

/** The code a failure is told by. */
export function codeOf(thrown: unknown): ErrorCode {
  return thrown instanceof VadeError ? thrown.code : 'internal';
}
