import { ERRORS, type ErrorCode, VadeError } from '../model/errors.ts';

/** Everything a command may exit with (DESIGN §6.11); the numbers stand nowhere else. */
export const EXIT = Object.freeze({
  SUCCESS: 0,
  GENERAL_ERROR: 1,
  PARTIAL_FAILURE: 2,
  ARG_ERROR: 3,
  PRECONDITION: 4,
  NOT_FOUND: 5,
  CONFLICT: 6,
  PERMISSION_DENIED: 7,
  AUTH_REQUIRED: 8,
  TIMEOUT: 10,
  UNAVAILABLE: 12,
  REDIRECTED: 13,
  SIGINT: 130,
  SIGTERM: 143,
});

export type ExitName = keyof typeof EXIT;

/** The exit code of a failure: that of its error code, or a general error for a defect of ours. */
export function exitOf(thrown: unknown): number {
  return thrown instanceof VadeError ? ERRORS[thrown.code].exit : EXIT.GENERAL_ERROR;
}

/** The code a failure is told by. */
export function codeOf(thrown: unknown): ErrorCode {
  return thrown instanceof VadeError ? thrown.code : 'internal';
}
