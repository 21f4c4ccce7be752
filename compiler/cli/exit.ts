import { ERRORS, type ErrorCode, VadeError } from '../model/errors.ts';

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
  GENERAL_ERROR: exit(1, 'A defect of ours, or output that could not be written', 'partial'),
  PARTIAL_FAILURE: exit(2, 'Some of it was done', 'partial'),
  ARG_ERROR: exit(3, 'Arguments are wrong; nothing has happened'),
  PRECONDITION: exit(4, 'Faults in the sources, a failed gate or missing trust'),
  NOT_FOUND: exit(5, 'What was named does not exist'),
  CONFLICT: exit(6, 'Something is there already, or held by another process'),
  PERMISSION_DENIED: exit(7, 'A bundle, trust root or audit that does not verify'),
  AUTH_REQUIRED: exit(8, 'Authentication is required'),
  TIMEOUT: exit(10, 'It took too long', 'partial'),
  UNAVAILABLE: exit(12, 'Not available now', 'none', true),
  REDIRECTED: exit(13, 'The command has another name; error.redirect.command runs'),
  SIGINT: exit(130, 'Ended by SIGINT', 'partial'),
  SIGTERM: exit(143, 'Ended by SIGTERM', 'partial'),
});

export type ExitName = keyof typeof EXITS;

/** The numbers alone. */
export const EXIT = Object.freeze(
  Object.fromEntries(Object.entries(EXITS).map(([name, entry]) => [name, entry.code])),
) as Readonly<Record<ExitName, number>>;

/** What may end any command, whatever it declares. */
export const ALWAYS: readonly ExitName[] = ['GENERAL_ERROR', 'ARG_ERROR', 'SIGINT', 'SIGTERM'];

/** The exit code of a failure: that of its error code, or a general error for a defect of ours. */
export function exitOf(thrown: unknown): number {
  return thrown instanceof VadeError ? ERRORS[thrown.code].exit : EXIT.GENERAL_ERROR;
}

/** The code a failure is told by. */
export function codeOf(thrown: unknown): ErrorCode {
  return thrown instanceof VadeError ? thrown.code : 'internal';
}
