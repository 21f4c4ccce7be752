import { z } from 'zod';

/** A share, 0..1, to four places; null where there is nothing to tell it from. */
const Share = z.number().min(0).max(1).nullable();

/** Found units among the first k (§21.5.3). */
export const AtK = z.strictObject({
  k: z.int().positive(),
  /** Share of the used units that were loaded among the first k. */
  recall: Share,
  /** Share of the heartbeats that used a unit which was loaded among the first k. */
  hit: Share,
});

/** How often a guaranteed unit was worth its tokens. */
export const GuaranteedMetrics = z.strictObject({
  name: z.string(),
  /** Closed recalls that brought it. */
  recalled: z.int().nonnegative(),
  /** P(relevant | recalled): share of them that used it. */
  relevant: Share,
  /** Whether that is so little that the guarantee is in doubt. */
  warning: z.boolean(),
});

/** What the audit of one agent tells of a window of time (§21.5.3). */
export const AgentMetrics = z.strictObject({
  agent_id: z.string(),
  since: z.string(),
  until: z.string(),
  recalls: z.int().nonnegative(),
  heartbeats: z.int().nonnegative(),
  /** Recalls that nothing can be told from, so that they are in no figure. */
  excluded: z.strictObject({
    /** Never closed by their agent. */
    unclosed: z.int().nonnegative(),
    /** Closed without a word on what was used or missed. */
    silent: z.int().nonnegative(),
  }),
  at: z.array(AtK),
  /** |missed| / (|used| + |missed|). */
  miss_rate: Share,
  /** Closed recalls that the miss rate is told from. */
  events: z.int().nonnegative(),
  /** Whether the miss rate is too high over enough events to mean it. */
  alert: z.boolean(),
  /** The units that were missed, most often first. */
  missed: z.array(z.strictObject({ name: z.string(), times: z.int().positive() })),
  guaranteed: z.array(GuaranteedMetrics),
  tokens: z.strictObject({
    /** What stubs, preloads and recalls brought. */
    lazy: z.int().nonnegative(),
    /** What loading every unit at every heartbeat would have brought. */
    eager: z.int().nonnegative(),
    saved: Share,
  }),
  /** What these figures cannot show, in words. */
  limitation: z.string(),
});

export type AtK = z.infer<typeof AtK>;
export type GuaranteedMetrics = z.infer<typeof GuaranteedMetrics>;
export type AgentMetrics = z.infer<typeof AgentMetrics>;

/** §21.5.3: misses above this share, over so many events, call for somebody to look. */
export const MISS_ALERT = 0.15;
export const MISS_ALERT_EVENTS = 100;

/** A guaranteed unit that fewer recalls use than this is not worth its place. */
export const RELEVANT_LEAST = 0.6;

/** §21.5.3, said beside the numbers wherever they stand. */
export const LIMITATION =
  'Used units are reported by the agents themselves: a unit that is never loaded is never used, and its absence is ' +
  'invisible here. Probes and coverage measure that.';
