import { ERRORS, type ErrorCode, VadeError } from '../schema/errors.ts';

/** The meaning of an exit code: whether a retry may succeed, and which changes may have been made. */
export interface ExitEntry {
  readonly code: number;
  readonly description: string;
  /** True only if nothing was done. */
  readonly retryable: boolean;
  readonly side_effects: 'none' | 'partial' | 'complete';
}

const exit = (
  code: number,
  description: string,
  side_effects: ExitEntry['side_effects'] = 'none',
  retryable = false,
): ExitEntry => Object.freeze({ code, description, retryable, side_effects });

/** All exit codes (DESIGN §6.11); this is the only place that defines the numbers. */
export const EXITS = Object.freeze({
  SUCCESS: exit(0, 'Done', 'complete'),
  GENERAL_ERROR: exit(1, 'Internal or output error; of doctor: a fault was found', 'partial'),
  PARTIAL_FAILURE: exit(2, 'Partly done; of a gate: the call is denied', 'partial'),
  ARG_ERROR: exit(3, 'Wrong arguments'),
  PRECONDITION: exit(4, 'Invalid sources, a failed gate or no trust root'),
  NOT_FOUND: exit(5, 'Not found'),
  CONFLICT: exit(6, 'Already exists, or is locked'),
  PERMISSION_DENIED: exit(7, 'A bundle or audit does not verify'),
  AUTH_REQUIRED: exit(8, 'Authentication is required'),
  TIMEOUT: exit(10, 'Timed out', 'partial'),
  UNAVAILABLE: exit(12, 'Not available now', 'none', true),
  REDIRECTED: exit(13, 'The command was renamed; run error.redirect.command'),
  SIGINT: exit(130, 'Interrupted', 'partial'),
  SIGTERM: exit(143, 'Terminated', 'partial'),
});

export type ExitName = keyof typeof EXITS;

/** The numbers alone. */
export const EXIT = Object.freeze(
  Object.fromEntries(Object.entries(EXITS).map(([name, entry]) => [name, entry.code])),
) as Readonly<Record<ExitName, number>>;

/** Exit codes of every command, besides those that it declares. */
export const ALWAYS: readonly ExitName[] = ['GENERAL_ERROR', 'ARG_ERROR', 'SIGINT', 'SIGTERM'];

/** Exit codes of every command that reads an audit, which may be a database. */
export const AUDIT_EXITS = ['AUTH_REQUIRED', 'TIMEOUT', 'UNAVAILABLE'] as const satisfies readonly ExitName[];

/** Exit codes of every command that downloads a bundle. */
export const ADDRESS_EXITS = AUDIT_EXITS;

/** All exit codes of a command, by number. */
export function exitsOf({ exits }: { readonly exits: readonly ExitName[] }): ExitName[] {
  const names = new Set<ExitName>(['SUCCESS', ...exits, ...ALWAYS]);
  return [...names].sort((a, b) => EXITS[a].code - EXITS[b].code);
}

/** The exit code of an error: that of its error code; anything but a VadeError is an internal error. */
export function exitOf(thrown: unknown): number {
  return thrown instanceof VadeError ? ERRORS[thrown.code].exit : EXIT.GENERAL_ERROR;
}

/** The error code of an error; anything but a VadeError is internal. */
export function codeOf(thrown: unknown): ErrorCode {
  return thrown instanceof VadeError ? thrown.code : 'internal';
}
