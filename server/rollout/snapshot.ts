import type { Queries } from '../../compiler/io/models/encoder.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { Gardens } from './gardens.ts';
import type { FreshnessWatch } from './watch.ts';

/**
 * One bundle in service. A request is answered from one edition from its beginning to its end, whatever is activated
 * meanwhile (DESIGN §8).
 */
export interface Snapshot {
  readonly gardens: Gardens;
  readonly queries: Queries;
  /** What its gardens answered before. */
  readonly answerCache: AnswerCache;
  readonly freshness: FreshnessWatch;
}

/** Why a root was not taken into service. */
export interface Refused {
  /** Empty where it never became a root here. */
  readonly revision: string;
  /** A reason of `REFUSALS`, else an error code; never a path or a text. */
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A garden of a root that does not verify as it lies here. */
export interface DamagedGarden {
  readonly revision: string;
  readonly garden: string;
}

/** How the place is that a mirror asks; times are milliseconds since 1970. */
export interface OriginHealth {
  /** Since when it could not be asked; null where it answers. */
  readonly unreachable_since: number | null;
  /** Since when it offers what does not verify; null where it does not. */
  readonly refused_since: number | null;
}

/** What is known of withdrawals. */
export interface WithdrawalsHealth {
  /** Records of the list that do not hold. */
  readonly skipped: number;
  /** How many a signed freshness statement names that are not to be had. */
  readonly missing: number;
  /** Until when a fact is served at most that was withdrawn without our hearing of it; null where nothing ends it. */
  readonly until: string | null;
}

/** What an operator watches of the bundle in service; times are milliseconds since 1970. */
export interface RolloutHealth {
  readonly revision: string;
  readonly activated_at: number;
  /** Activations since the start, the first one included. */
  readonly activated: number;
  /** Roots that were refused since the start; one that is tried again and fails alike counts once. */
  readonly refused: number;
  readonly last_refusal: Refused | null;
  /** Since when a root is offered that is not served, because it was refused; null where what is offered is served. */
  readonly stale_since: number | null;
  /** Since when the place that the bundle comes from could not be asked; null where it answers, and for a folder. */
  readonly unreachable_since: number | null;
  readonly withdrawals: WithdrawalsHealth;
  /** Agents that are answered from another root. */
  readonly canaries: readonly { readonly agent: string; readonly revision: string }[];
  /** Whether the server was asked to end. */
  readonly is_ending: boolean;
}

/** Which edition answers for whom, now. */
export interface Rollout {
  readonly current: () => Snapshot;
  /** The edition for an agent, by id or short name: its canary's, where it has one. */
  readonly snapshotFor: (agent: string) => Snapshot;
  readonly health: () => RolloutHealth;
  /** Whether nothing is served any more because the bundle is not fresh. */
  readonly isStale: () => boolean;
}
