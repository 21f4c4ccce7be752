import { z } from 'zod';

/** Absent leaves a field as it is; null removes it (DESIGN §6.9). */
const changeable = <T extends z.ZodType>(value: T) => value.nullable().optional();

const Words = changeable(z.array(z.string()).max(64));

/**
 * One entry of a manifest that is published: a unit there is, and how it is delivered from now on. What the values may
 * be is judged where it is judged for everybody, by the compiler.
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
  /** Accepted, so that a manifest can be sent back as it was served; tokens are counted, never claimed. */
  token_estimate: changeable(z.int().nonnegative()),
});

/** §21.8.3: what replaces a manifest. */
export const Publication = z.strictObject({
  version: z.string().regex(/^v[1-9]\d{0,8}$/, 'write it as v4'),
  entries: z.array(PublishedEntry).max(500),
  skip_coverage_gate: z.boolean().default(false),
});

export type PublishedEntry = z.infer<typeof PublishedEntry>;
export type Publication = z.infer<typeof Publication>;
