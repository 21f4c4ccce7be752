import type { z } from 'zod';
import { VadeError } from '../../schema/errors.ts';
import { toldIssues, valueAt, wordingOf } from '../../schema/issue-wording.ts';

/** One thing that is wrong with a capsule or a request. */
export interface Fault {
  /** Dotted path of the field to fix. */
  readonly field: string;
  readonly message: string;
  /** More for programs. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Faults that are reported one by one. */
const MOST = 20;

/**
 * Refuses for all faults at once, so that they can be fixed together; does nothing without any.
 *
 * @throws VadeError `capsule_invalid`
 */
export function refuse(faults: readonly Fault[]): void {
  if (faults.length > 0) throw invalidOf(faults);
}

function invalidOf(faults: readonly Fault[]): VadeError {
  const told = faults.slice(0, MOST).map(({ field, message }) => ({ path: field, message }));
  const more = faults.length > MOST ? [`${faults.length - MOST} more faults`] : [];
  const message = [...told.map((it) => `${it.path}: ${it.message}`), ...more].join('; ');
  const [first] = faults;
  return new VadeError('capsule_invalid', message, { field: first?.field, ...first?.more, faults: told });
}

/** A capsule or a request that breaks a rule. @param field dotted path of what breaks it */
export function invalid(field: string, message: string, more: Readonly<Record<string, unknown>> = {}): VadeError {
  return invalidOf([{ field, message, more }]);
}

/** A schema's issues as faults. The input is not repeated, apart from its field. */
export function faultsIn(issues: readonly z.core.$ZodIssue[], input: unknown): readonly Fault[] {
  return toldIssues(issues).flatMap((issue) => {
    const at = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys') {
      const { message } = wordingOf({ ...issue, path: [] }, valueAt(input, issue.path));
      return [{ field: at, message }];
    }
    return issue.keys.map((key) => ({
      field: [...issue.path, key.slice(0, MOST_KEY)].join('.'),
      message: 'is not a field of a capsule',
    }));
  });
}

const MOST_KEY = 64;

/** The stored file cannot be used for this. */
export function damaged(path: string, reason: string): VadeError {
  return new VadeError('capsule_damaged', `${path} cannot be read: ${reason}`, { path, reason });
}

/** The request does not fit the state that is stored. */
export function conflict(message: string, details: Readonly<Record<string, unknown>>): VadeError {
  return new VadeError('capsule_conflict', message, details);
}

export function notFound(path: string): VadeError {
  return new VadeError('capsule_not_found', `there is no active capsule at ${path}`, { path });
}
