import { z } from 'zod';

/** Characters as JSON Schema and the specification's language count them: code points. */
export function charactersOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/**
 * A text of bounded length.
 *
 * @param most,least characters
 */
export function text(most: number, least = 0) {
  return bounded(z.string(), most, least);
}

/** The same without white space around it, which does not count. */
export function trimmed(most: number, least = 0) {
  return bounded(z.string().trim(), most, least);
}

function bounded(string: z.ZodString, most: number, least: number) {
  const checked = string.check(({ value, issues }) => {
    const bound = { input: value, origin: 'string', inclusive: true } as const;
    // a lone surrogate is no UTF-8: what is stored would not be what was sent
    if (!value.isWellFormed())
      issues.push({ code: 'custom', input: value, message: 'contains half of a surrogate pair' });
    // twice the limit in UTF-16 is more than the limit in code points, and need not be counted
    const length = value.length > 2 * most ? value.length : charactersOf(value);
    if (length > most) issues.push({ ...bound, code: 'too_big', maximum: most });
    if (length < least) issues.push({ ...bound, code: 'too_small', minimum: least });
  });
  return checked.meta(least === 0 ? { maxLength: most } : { minLength: least, maxLength: most });
}

/**
 * A list of texts.
 *
 * @param items most entries
 * @param most,least characters of each
 */
export function texts(items: number, most: number, least = 0) {
  return z.array(text(most, least)).max(items);
}

/** An instant in UTC; the specification writes both `Z` and `+00:00`. Fractions of a second are kept as they are. */
export const UtcTime = z.iso
  .datetime({ offset: true })
  .max(40)
  .regex(/(Z|\+00:00)$/, 'write it in UTC');

/** An instant of an entry: "UTC (Z suffix)". */
export const EntryTime = z.iso.datetime({ offset: false }).max(40);

/** A path relative to a repository's root, in portable characters: it never leaves the root or names a folder twice. */
export const RelativePath = z
  .string()
  .min(1)
  .max(1024)
  .regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/, 'write a path relative to the root of the repository')
  .refine((path) => !path.split('/').some((it) => it === '.' || it === '..'), 'a path must not contain . or ..');
