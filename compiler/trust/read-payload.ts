import type { ZodType } from 'zod';
import { refuse, type Refusal } from '../schema/refusals.ts';

/**
 * Reads a payload as what it has to be; whether to believe it is shown by its signatures.
 *
 * @param what it has to be, for people
 * @throws bundle_unverified
 */
export function readPayload<T>(kind: ZodType<T>, payload: Buffer, what: string, reason: Refusal = 'format_unknown'): T {
  try {
    return kind.parse(JSON.parse(payload.toString('utf8')));
  } catch {
    throw refuse(reason, `the envelope does not hold ${what}`);
  }
}
