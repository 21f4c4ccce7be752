import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors.ts';

/** Every failure in its one shape (DESIGN §6.12), limited to the codes that may stand there. */
export function errorBody(codes: readonly ErrorCode[]) {
  return z.strictObject({
    error: z.strictObject({
      code: z.enum(codes as readonly [ErrorCode, ...ErrorCode[]]),
      message: z.string(),
      retryable: z.boolean(),
      details: z.record(z.string(), z.unknown()),
    }),
  });
}

/** Codes by the status that answers them; a code that is the command line's alone has none. */
export function byStatus(codes: Iterable<ErrorCode>): ReadonlyMap<number, readonly ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>();
  for (const code of [...new Set(codes)].sort()) {
    const entry = ERRORS[code];
    if ('status' in entry) found.set(entry.status, [...(found.get(entry.status) ?? []), code]);
  }
  return found;
}
