import { z } from 'zod';
import { Digest } from '../primitives.ts';

/** No control characters, and no half of a surrogate pair: databases refuse such text, or show it as something else. */
const Shown = z
  .string()
  .max(200)
  .regex(/^\P{C}+$/u);

/**
 * One line of the spool in which the hook of a host reports what it gave to an agent without being asked. It is no
 * recall: no metric of recalls counts it. Times are milliseconds since 1970.
 */
export const Arrival = z.strictObject({
  /** `arrival_` and a ULID. */
  id: z.string().regex(/^arrival_[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
  agent_id: Shown,
  event: z.enum(['prompt', 'file', 'start', 'subagent']),
  /** A digest of the host's session: groups its arrivals, and names nobody. */
  session: z.string().regex(/^[0-9a-f]{32}$/),
  /** Units that arrived with their text. */
  pages: z.array(z.strictObject({ name: Shown, version: Shown })).max(50),
  /** Units that arrived by name and description. */
  names: z.array(Shown).max(50),
  /** Those of `names` that are skills on the agent's disk: it was said how each is started. */
  pointers: z
    .array(z.strictObject({ name: Shown, version: Shown }))
    .max(50)
    .optional(),
  /** cl100k tokens of the arrived texts, without names. */
  tokens: z.int().nonnegative().max(1_000_000),
  /** sha256 of salt and prompt, as an audit keeps intents; null for an event without a prompt. */
  intent_digest: Digest.nullable(),
  /** Only where the hook may store prompts. */
  intent: z.strictObject({ salt: z.string().max(64), text: z.string().max(8000) }).nullable(),
  bundle_revision: Shown,
  created_at: z.int().nonnegative(),
});

/** A line of the spool; of a prompt for which nothing came only that there was one. */
export const SpooledArrival = z.union([Arrival, z.strictObject({ agent_id: Shown, silent_at: z.int().nonnegative() })]);

export type Arrival = z.infer<typeof Arrival>;
export type SpooledArrival = z.infer<typeof SpooledArrival>;

/** An arrival on its way into an audit; with `count` it stands for so many prompts for which nothing came. */
export type TakenArrival = Arrival & { readonly count?: number };
