import { z } from 'zod';

/** Absent leaves a field as it is; null removes it (DESIGN §6.9). */
const changeable = <T extends z.ZodType>(value: T) => value.nullable().optional();

const Words = changeable(z.array(z.string()).max(64));

/**
 * One entry of a published manifest: an existing unit, and its new delivery. The compiler checks the values, as it does
 * for every source.
 */
export const PublishedEntry = z.strictObject({
  name: z.string().max(64),
  description: z.string().max(1000).optional(),
  required_by_task_types: Words,
  guarantee_load: changeable(z.boolean()),
  force_position: changeable(z.enum(['append', 'prepend'])),
  load_triggers: changeable(z.strictObject({ intents: Words, keywords: Words, task_types: Words })),
  fact_uri: changeable(z.string().max(400)),
  path: changeable(z.string().max(512)),
  priority: changeable(z.int()),
  /** Accepted, so that a client can send back a served manifest, but ignored: the compiler counts the tokens. */
  token_estimate: changeable(z.int().nonnegative()),
});

/** §21.8.3: the request that replaces a manifest. */
export const Publication = z.strictObject({
  version: z.string().regex(/^v[1-9]\d{0,8}$/, 'write it as v4'),
  entries: z.array(PublishedEntry).max(500),
  skip_coverage_gate: z.boolean().default(false),
});

export type PublishedEntry = z.infer<typeof PublishedEntry>;
export type Publication = z.infer<typeof Publication>;
