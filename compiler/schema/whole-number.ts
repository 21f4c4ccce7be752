import { z } from 'zod';

/** A whole number in a query, in digits alone: `1e1`, `0x10` and nothing are none. @param least,most of the number */
export function wholeNumber(least: number, most: number) {
  const digits = z
    .string()
    .regex(/^(0|[1-9]\d{0,15})$/, `write a whole number from ${least} to ${most}`)
    .meta({ type: 'integer', minimum: least, maximum: most, pattern: undefined });
  return digits.transform(Number).pipe(z.int().min(least).max(most));
}
