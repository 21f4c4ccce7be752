import { z } from 'zod';

/** A unit that arrived with its text. */
const ArrivedPage = z.strictObject({ name: z.string(), version: z.string() });

/**
 * One line of the spool in which the hook of a host reports what it gave to an agent without being asked. It is no
 * recall: no metric of recalls counts it. Times are milliseconds since 1970.
 */
export const Arrival = z.strictObject({
  /** `arrival_` and a ULID. */
  id: z.string().max(64),
  agent_id: z.string().max(200),
  event: z.enum(['prompt', 'file', 'start', 'subagent']),
  /** A digest of the host's session: groups its arrivals, and names nobody. */
  session: z.string().regex(/^[0-9a-f]{32}$/),
  pages: z.array(ArrivedPage).max(50),
  /** Units that arrived by name and description. */
  names: z.array(z.string()).max(50),
  /** cl100k tokens of the arrived texts, without names. */
  tokens: z.int().nonnegative(),
  /** sha256 of salt and prompt, as an audit keeps intents; null for an event without a prompt. */
  intent_digest: z.string().nullable(),
  /** Only where the hook may store prompts. */
  intent: z.strictObject({ salt: z.string(), text: z.string().max(8000) }).nullable(),
  bundle_revision: z.string(),
  created_at: z.int().nonnegative(),
});

/** A prompt for which nothing came: it is counted, and nothing else is kept of it. */
export const Silence = z.strictObject({ agent_id: z.string().max(200), silent_at: z.int().nonnegative() });

/** A line of the spool. */
export const SpooledArrival = z.union([Arrival, Silence]);

export type Arrival = z.infer<typeof Arrival>;
export type Silence = z.infer<typeof Silence>;
export type SpooledArrival = z.infer<typeof SpooledArrival>;
