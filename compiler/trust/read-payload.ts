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
    throw refuse(reason, `the envelope does not hold ${what}`);
  }
}
