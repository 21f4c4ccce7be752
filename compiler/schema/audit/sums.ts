/** A stretch of time of some agents, which a store adds up; times are milliseconds since 1970. */
export interface SumsQuery {
  /** The entity URI that each agent asks as, by the agent's id. */
  readonly entities: Readonly<Record<string, string>>;
  /** Inclusive. */
  readonly since: number;
  /** Exclusive. */
  readonly until: number;
}

/** How often, by what. */
type Times<K> = readonly (readonly [of: K, times: number])[];

/** The answers of one agent in a stretch of time, added up (§21.5.3): what figures of any depth are told from. */
export interface AuditSums {
  readonly agent_id: string;
  /** Of the agent itself and of others. */
  readonly rows: number;
  readonly by_others: number;
  // all others are of the agent's own
  readonly recalls: number;
  readonly aborted: number;
  readonly unclosed: number;
  readonly silent: number;
  readonly unused: number;
  readonly events: number;
  readonly used: number;
  readonly missed: number;
  readonly used_of_recalls: number;
  /** Answers of heartbeats that nobody named. */
  readonly unnamed: number;
  /** Tokens of all other answers. */
  readonly tokens: number;
  /** Answers whose agent missed something. */
  readonly misses: number;
  /** Used units of recalls, by the rank that they were loaded at. */
  readonly ranks: Times<number>;
  /** Missed units, most often first. */
  readonly missed_names: Times<string>;
  /** Further names that were missed. */
  readonly more_missed: number;
  /** Of each unit: closed recalls that brought it, and those of them that used it. */
  readonly units: readonly (readonly [name: string, recalled: number, used: number])[];
  /** Records of `HEARTBEAT_BYTES`: one for each heartbeat. */
  readonly heartbeats: Uint8Array;
  /** The newest answers whose agent missed something: `created_at` and `seq`, newest first. */
  readonly newest_misses: readonly (readonly [at: number, seq: number])[];
}

/** A digest of the heartbeat's id; `HEARTBEAT` flags; the best rank of a used unit, 0 without one. */
export const HEARTBEAT_BYTES = 18;

/** Where the digest of a record ends. */
export const HEARTBEAT_DIGEST = 16;

export const HEARTBEAT = {
  /** One of its recalls used something. */
  using: 1,
  /** Somebody named it, and it was not aborted: lazy loading is compared with eager loading. */
  compared: 2,
  /** Its wake-up is among its answers. */
  woken: 4,
} as const;

/** Names that are told of one stretch; an agent may make up many more. */
export const NAMES_SUMMED = 5000;

/** Answers with a miss that are pointed to. */
export const MISSES_SUMMED = 50;

/** What a store has of one agent on one day, without looking at any of it. */
export interface AuditDay {
  readonly agent_id: string;
  /** Days since 1970, UTC. */
  readonly day: number;
  /** Whether it is the part of that day from `cut` on. */
  readonly after_cut: boolean;
  readonly rows: number;
  /** Where this is the same, so are the answers of that day, and what their agent said of them. */
  readonly state: string;
}

/** Days of a window. */
export interface DaysQuery {
  /** An agent's id; null for all of them. */
  readonly agent: string | null;
  readonly since: number;
  readonly until: number;
  /** An instant that parts a day in two. */
  readonly cut: number;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
