import { z } from 'zod';
import { ERRORS, type ErrorCode } from '../errors.ts';

/** The body of every error response (DESIGN §6.12), limited to the given codes. */
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

/** Codes by HTTP status; codes that only the command line uses are left out. */
export function byStatus(codes: Iterable<ErrorCode>): ReadonlyMap<number, readonly ErrorCode[]> {
  const found = new Map<number, ErrorCode[]>();
  for (const code of [...new Set(codes)].sort()) {
    const entry = ERRORS[code];
    if ('status' in entry) found.set(entry.status, [...(found.get(entry.status) ?? []), code]);
  }
  return found;
}
