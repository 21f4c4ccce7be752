import type { Arrival } from './arrival.ts';

/** A time window of some agents, which a store sums up; times are milliseconds since 1970. */
export interface SumsQuery {
  /** The entity URI of each agent as a caller, by the agent's id. */
  readonly entities: Readonly<Record<string, string>>;
  /** Inclusive. */
  readonly since: number;
  /** Exclusive. */
  readonly until: number;
  /** Whether arrivals are read with the text of their prompts, where it is stored. */
  readonly withText?: boolean;
}

/** Counts by key. */
type Times<K> = readonly (readonly [of: K, times: number])[];

/** Sums over the answers of one agent in a time window (§21.5.3); figures of any depth are computed from them. */
export interface AuditSums {
  readonly agent_id: string;
  /** Recalls by the agent itself and by other callers. */
  readonly rows: number;
  readonly by_others: number;
  // the remaining members count only the agent's own answers
  readonly recalls: number;
  readonly aborted: number;
  readonly unclosed: number;
  readonly silent: number;
  readonly unused: number;
  readonly events: number;
  readonly used: number;
  readonly missed: number;
  /** Units that finds used, each once in a find. */
  readonly used_of_finds: number;
  readonly found_first: number;
  readonly found_by_choice: number;
  readonly not_found: number;
  /** Answers of heartbeats without an id from a token or a caller. */
  readonly unnamed: number;
  /** Tokens of all other answers. */
  readonly tokens: number;
  /** Used units of finds, by the best rank at which one of their answers loaded them. */
  readonly ranks: Times<number>;
  /** Missed units, most often first. */
  readonly missed_names: Times<string>;
  /** Number of further names that were missed. */
  readonly more_missed: number;
  /** By unit: closed recalls that loaded it, and how many of them used it. */
  readonly units: readonly (readonly [name: string, recalled: number, used: number])[];
  /** Records of `HEARTBEAT_BYTES`: one for each heartbeat. */
  readonly heartbeats: Uint8Array;
}

/** The arrivals of one agent in a time window that are alike. */
export interface ArrivalSums extends Pick<Arrival, 'id' | 'agent_id' | 'event' | 'tokens'> {
  /** Units that came with their text. */
  readonly pages: readonly string[];
  /** The first unit that came by name alone; null without any. */
  readonly name: string | null;
  /** The prompt; null unless the query wants it, and it is stored. */
  readonly text: string | null;
  readonly times: number;
}

/** The newest that are read; a longer list would be forged, or of many months. */
export const ARRIVALS_SUMMED = 10_000;

/** A digest of the heartbeat's id; `HEARTBEAT` flags; the best rank of a used unit, 0 without one. */
export const HEARTBEAT_BYTES = 18;

/** Offset at which the digest of a record ends. */
export const HEARTBEAT_DIGEST = 16;

export const HEARTBEAT = {
  /** One of its finds used something. */
  using: 1,
  /** It has an id from a token or a caller and was not aborted: lazy loading is compared with eager loading. */
  compared: 2,
  /** Its wake-up is among its answers. */
  woken: 4,
} as const;

/** Maximum number of names that are reported for one window; an agent may invent many more. */
export const NAMES_SUMMED = 5000;

/** Identifies the rows of one agent on one day without reading them. */
export interface AuditDay {
  readonly agent_id: string;
  /** Days since 1970, UTC. */
  readonly day: number;
  /** Whether this is the part of the day from `cut` on. */
  readonly after_cut: boolean;
  readonly rows: number;
  /** If it is unchanged, the answers of that day and their agent's reports are unchanged too. */
  readonly state: string;
}

/** Days of a window. */
export interface DaysQuery {
  /** An agent's id; null for all of them. */
  readonly agent: string | null;
  readonly since: number;
  readonly until: number;
  /** An instant that splits a day into two parts. */
  readonly cut: number;
}

export const DAY_MS = 24 * 60 * 60 * 1000;
