import { z } from 'zod';
import { Instant } from '../primitives.ts';

/** A share, 0..1, to four places; null where there is nothing to tell it from. */
const Share = z.number().min(0).max(1).nullable();
const Count = z.int().nonnegative();

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
  recalled: Count,
  /** P(relevant | recalled): share of them that used it. */
  relevant: Share,
  /** Whether that is so little that the guarantee is in doubt. */
  warning: z.boolean(),
});

/** A unit that agents missed; its name is what an agent says, untrusted text. */
const MissedUnit = z.strictObject({
  name: z.string(),
  times: z.int().positive(),
  /** Whether the agent has such a unit now: where it has none, the instruction is missing, not the recall. */
  exists: z.boolean(),
});

/** One day on which something was recalled, UTC. */
export const MetricsDay = z.strictObject({
  day: z.iso.date(),
  recalls: Count,
  events: Count,
  miss_rate: Share,
  /** Miss rate of the seven days that end with it, as far as they were read. */
  rolling: Share,
  recall_at: z.array(z.strictObject({ k: z.int().positive(), recall: Share })),
});

/** What the audit tells of one agent, or of all together, in a window of time (§21.5.3). */
export const Figures = z.strictObject({
  /** By the agent itself. */
  recalls: Count,
  heartbeats: Count,
  /** Heartbeats that ended in an error (§21.1.5 S2): wake-ups, not recalls. */
  aborted: Count,
  /** What nothing can be told from, so that it is in no figure. */
  excluded: z.strictObject({
    /** Asked by somebody else, who cannot close it. */
    by_others: Count,
    /** Never closed by their agent. */
    unclosed: Count,
    /** Closed without a word on what was used or missed. */
    silent: Count,
    /** Nothing used, something missed: in the miss rate, but in no Recall@k and Hit@k. */
    unused: Count,
  }),
  at: z.array(AtK),
  /** |missed| / (|used| + |missed|). */
  miss_rate: Share,
  /** Closed recalls and heartbeats that the miss rate is told from. */
  events: Count,
  /** The last seven days of the window. */
  rolling: z.strictObject({ since: Instant, miss_rate: Share, events: Count }),
  /** Whether their miss rate is too high over enough events to mean it. */
  alert: z.boolean(),
  days: z.array(MetricsDay),
  tokens: z.strictObject({
    /** Heartbeats that are compared: those that somebody named. */
    heartbeats: Count,
    /** Recalls that no named heartbeat can be put to, and that are not compared. */
    unnamed: Count,
    /** What stubs, preloads and recalls brought. */
    lazy: Count,
    /** What loading everything at every heartbeat would have brought, by the stub and units of the present bundle. */
    eager: Count,
    saved: Share,
  }),
});

/** Until when a coverage gate that was passed by has to be passed (§21.8.3 S10). */
export const Recertification = z.strictObject({
  by: Instant,
  overdue: z.boolean(),
  /** Units that did not pass it. */
  units: z.array(z.string()),
});

export const AgentMetrics = Figures.extend({
  agent: z.string(),
  agent_id: z.string(),
  since: Instant,
  until: Instant,
  /** The units that were missed, most often first; at most `MISSED_NAMED`. */
  missed: z.array(MissedUnit),
  /** Further names that were missed. */
  more_missed: Count,
  guaranteed: z.array(GuaranteedMetrics),
  /** Null where the gate was passed. */
  recertify: Recertification.nullable(),
  /** What these figures cannot show, in words. */
  limitation: z.string(),
});

/** All agents of a deployment, and what they come to together. */
export const DeploymentMetrics = z.strictObject({
  since: Instant,
  until: Instant,
  agents: z.array(AgentMetrics),
  total: Figures,
  /** Agents that the audit knows and the bundle does not; they are in no figure. */
  strangers: z.array(z.strictObject({ agent_id: z.string(), rows: z.int().positive() })),
  limitation: z.string(),
});

/** What a server answers: `rows` of the audit were read, back to `from`, and waiting ones were not. */
export const ServedMetrics = AgentMetrics.extend({
  read: z.strictObject({
    rows: Count,
    /** False where older rows of the window were not read: a server does not read for ever. */
    complete: z.boolean(),
    from: Instant,
    /** Rows of any agent that wait in the spool. */
    spooled: Count,
  }),
});

export type AtK = z.infer<typeof AtK>;
export type GuaranteedMetrics = z.infer<typeof GuaranteedMetrics>;
export type MetricsDay = z.infer<typeof MetricsDay>;
export type Figures = z.infer<typeof Figures>;
export type Recertification = z.infer<typeof Recertification>;
export type AgentMetrics = z.infer<typeof AgentMetrics>;
export type DeploymentMetrics = z.infer<typeof DeploymentMetrics>;
export type ServedMetrics = z.infer<typeof ServedMetrics>;

/** §21.5.3: misses above this share, over so many events in so many days, call for somebody to look. */
export const MISS_ALERT = 0.15;
export const MISS_ALERT_EVENTS = 100;
export const ROLLING_DAYS = 7;

/** A guaranteed unit that fewer recalls use than this is not worth its place. */
export const RELEVANT_LEAST = 0.6;

/** Missed units that are named. */
export const MISSED_NAMED = 50;

/** §21.5.3, said beside the numbers wherever they stand. */
export const LIMITATION =
  'Used units are reported by the agents themselves: a unit that is never loaded is never used, and its absence is ' +
  'invisible here. Probes and coverage measure that.';
