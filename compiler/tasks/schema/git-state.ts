import { z } from 'zod';

/**
 * The value of a name in a folder of git that neither git nor vade knows: a new one is reported, and blocks nothing.
 */
export const UNKNOWN = 'unknown';

/**
 * The state that decides how git behaves in a repository, by path below its common folder: references and heads as
 * their text, files of configuration, hooks and the like as their digest. Objects, indexes and logs are not part of it.
 */
export const GitState = z.strictObject({
  format: z.literal(1),
  entries: z.record(z.string().max(4096), z.string().max(8192)),
});

/** One entry that differs between two states; null where there is none. */
export const GitChange = z.strictObject({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});

export type GitState = z.infer<typeof GitState>;
export type GitChange = z.infer<typeof GitChange>;
