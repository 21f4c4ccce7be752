import type { ZodType } from 'zod';
import { refuse, type Refusal } from '../schema/refusals.ts';

/**
 * Parses a payload by its schema. The caller verifies the signatures.
 *
 * @param what the expected content, for the error message
 * @throws bundle_unverified
 */
export function readPayload<T>(kind: ZodType<T>, payload: Buffer, what: string, reason: Refusal = 'format_unknown'): T {
  try {
    return kind.parse(JSON.parse(payload.toString('utf8')));
  } catch {
    throw refuse(reason, `the envelope does not contain ${what}`);
  }
}

/** Parses a verified JSON file of a bundle by its schema. @throws bundle_unverified: format_unknown */
export function readContent<T>(kind: ZodType<T>, bytes: Buffer, path: string): T {
  try {
    return kind.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw refuse('format_unknown', `${path} has a format that this version does not read: compile again`);
  }
}
