import type { z } from 'zod';
import { VadeError } from '../../schema/errors.ts';
import { wordingOf } from '../../schema/issue-wording.ts';

/** A capsule or a request that breaks a rule. @param field dotted path of what breaks it */
export function invalid(field: string, message: string, more: Readonly<Record<string, unknown>> = {}): VadeError {
  return new VadeError('capsule_invalid', `${field}: ${message}`, { field, ...more });
}

/** The first of a schema's issues. What was sent is not repeated, apart from its field. */
export function invalidBy(issues: readonly z.core.$ZodIssue[], input: unknown): VadeError {
  const [first] = issues;
  if (!first) return invalid('capsule', 'is not valid');
  const unknown = first.code === 'unrecognized_keys' ? first.keys.slice(0, 1) : [];
  const field = [...first.path, ...unknown].join('.');
  const message = unknown.length > 0 ? `${field}: is no field of a capsule` : wordingOf(first, input).message;
  return new VadeError('capsule_invalid', message, { field });
}

/** What is stored cannot be used for this. */
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
