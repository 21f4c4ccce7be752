import { z } from 'zod';
import { Instant } from '../primitives.ts';

/** A share, 0..1, to four places; null if there is no data for it. */
const Share = z.number().min(0).max(1).nullable();
const Count = z.int().nonnegative();

/** Used units among the first k (§21.5.3); a recall and its follow-ups count once. */
export const AtK = z.strictObject({
  k: z.int().positive(),
  /** Share of the used units that were loaded among the first k. */
  recall: Share,
  /** Share of the heartbeats that used a unit which was loaded among the first k. */
  hit: Share,
});

/** Use of a guaranteed unit, compared with its tokens. */
export const GuaranteedMetrics = z.strictObject({
  name: z.string(),
  /** Closed recalls that loaded it. */
  recalled: Count,
  /** P(relevant | recalled): share of them that used it. */
  relevant: Share,
  /** Whether `relevant` is too low to justify the guarantee. */
  warning: z.boolean(),
});

/** A unit that agents missed; its name comes from an agent and is untrusted text. */
const MissedUnit = z.strictObject({
  name: z.string(),
  times: z.int().positive(),
  /** Whether the agent has such a unit now: if not, the instruction is missing, and recall is not to blame. */
  exists: z.boolean(),
});

/** One day with recalls, UTC. */
export const MetricsDay = z.strictObject({
  day: z.iso.date(),
  recalls: Count,
  events: Count,
  miss_rate: Share,
  /** Miss rate of the seven days that end with this day, as far as their rows were read. */
  rolling: Share,
  recall_at: z.array(z.strictObject({ k: z.int().positive(), recall: Share })),
});

/**
 * Recalls with those that follow them, each counted once: the way in which their agents came to the units that they
 * used.
 */
export const Finds = z.strictObject({
  /** Those whose agent reported the units that it used, or that nothing fitted. */
  reported: Count,
  /** Share whose first answer had it. */
  first: Share,
  /** Share whose agent chose it from the candidates. */
  choice: Share,
  /** Share that found nothing. */
  none: Share,
});

/**
 * Figures of arrivals, which the hooks of hosts gave without being asked, in the whole window. They are in no other
 * figure, and none says whether a page was used: a closing names only units that were asked for.
 */
export const Arrivals = z.strictObject({
  /** Prompts for which the text of a page came, names alone, or nothing. */
  prompts: z.strictObject({ pages: Count, names: Count, nothing: Count }),
  /** Files that brought something when they were read or written. */
  files: Count,
  starts: Count,
  subagents: Count,
  /** Tokens of pages, over all prompts; null without prompts. */
  tokens_a_prompt: z.number().nonnegative().nullable(),
  /** The pages that came, for whatever event, most often first; at most `PAGES_NAMED`. */
  pages: z.array(z.strictObject({ name: z.string(), times: z.int().positive() })),
});

/** Figures from the audit for one agent, or for all together, in a time window (§21.5.3). */
export const Figures = z.strictObject({
  /** Recalls by the agent itself. */
  recalls: Count,
  heartbeats: Count,
  /** Heartbeats that ended in an error (§21.1.5 S2); they count as wake-ups, not as recalls. */
  aborted: Count,
  /** Rows that are in no figure, because they show nothing about recall. */
  excluded: z.strictObject({
    /** Recalls by another caller, who cannot close them. */
    by_others: Count,
    /** Recalls that their agent never closed. */
    unclosed: Count,
    /** Closed without naming any used or missed unit. */
    silent: Count,
    /** No unit used, but some missed: in the miss rate, not in Recall@k and Hit@k. */
    unused: Count,
  }),
  finds: Finds,
  arrivals: Arrivals,
  at: z.array(AtK),
  /** |missed| / (|used| + |missed|). */
  miss_rate: Share,
  /** Closed recalls and heartbeats that the miss rate is computed from. */
  events: Count,
  /** The last seven days of the window. */
  rolling: z.strictObject({ since: Instant, miss_rate: Share, events: Count }),
  /** Whether the rolling miss rate is too high, over enough events to be significant. */
  alert: z.boolean(),
  days: z.array(MetricsDay),
  tokens: z.strictObject({
    /** Compared heartbeats: those with an id from a token or a caller. */
    heartbeats: Count,
    /** Recalls that belong to no named heartbeat, and are not compared. */
    unnamed: Count,
    /** Tokens of stubs, preloads and recalls. */
    lazy: Count,
    /** Tokens of loading everything at every heartbeat, by the stub and units of the present bundle. */
    eager: Count,
    saved: Share,
  }),
});

/** The deadline for passing a coverage gate that was bypassed (§21.8.3 S10). */
export const Recertification = z.strictObject({
  by: Instant,
  overdue: z.boolean(),
  /** Units that fail the gate. */
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
  /** Null if the gate was passed. */
  recertify: Recertification.nullable(),
  /** The facts that these figures cannot show. */
  limitation: z.string(),
});

/** All agents of a deployment, and their totals. */
export const DeploymentMetrics = z.strictObject({
  since: Instant,
  until: Instant,
  agents: z.array(AgentMetrics),
  total: Figures,
  /** Agents of the audit that are not in the bundle; they are in no figure. */
  strangers: z.array(z.strictObject({ agent_id: z.string(), rows: z.int().positive() })),
  limitation: z.string(),
});

/** The figures that a server returns, and how many rows of the audit they come from. */
export const ServedMetrics = AgentMetrics.extend({
  read: z.strictObject({
    rows: Count,
    /** False if older rows of the window were not read, because a server limits its reads. */
    complete: z.boolean(),
    from: Instant,
    /** Rows of any agent that are still in the spool, and were not read. */
    spooled: Count,
  }),
});

export type AtK = z.infer<typeof AtK>;
export type Arrivals = z.infer<typeof Arrivals>;
export type Finds = z.infer<typeof Finds>;
export type GuaranteedMetrics = z.infer<typeof GuaranteedMetrics>;
export type MetricsDay = z.infer<typeof MetricsDay>;
export type Figures = z.infer<typeof Figures>;
export type Recertification = z.infer<typeof Recertification>;
export type AgentMetrics = z.infer<typeof AgentMetrics>;
export type DeploymentMetrics = z.infer<typeof DeploymentMetrics>;
export type ServedMetrics = z.infer<typeof ServedMetrics>;

/** §21.5.3: a higher miss rate, over at least so many events in so many days, raises an alert. */
export const MISS_ALERT = 0.15;
export const MISS_ALERT_EVENTS = 100;
export const ROLLING_DAYS = 7;

/** A guarantee is in doubt if a smaller share of recalls uses the unit. */
export const RELEVANT_LEAST = 0.6;

/** Maximum number of missed units that are named. */
export const MISSED_NAMED = 50;

/** Maximum number of arrived pages that are named. */
export const PAGES_NAMED = 50;

/** §21.5.3: shown next to the figures everywhere. */
export const LIMITATION =
  'Agents report the used units themselves. A unit that is never loaded is never used, and these figures cannot show ' +
  'that it was needed. Probes and coverage measure that.';
