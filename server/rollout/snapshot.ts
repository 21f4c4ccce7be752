import type { Queries } from '../../compiler/io/models/encoder.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { Gardens } from './gardens.ts';
import type { FreshnessWatch } from './watch.ts';

/**
 * One served bundle. A request is answered from one snapshot from start to end, whatever is activated meanwhile (DESIGN
 * §8).
 */
export interface Snapshot {
  readonly gardens: Gardens;
  readonly queries: Queries;
  /** Cached answers of its gardens. */
  readonly answerCache: AnswerCache;
  readonly freshness: FreshnessWatch;
}

/** A refused root. */
export interface Refused {
  /** Empty if it was never stored here. */
  readonly revision: string;
  /** A reason of `REFUSALS`, else an error code; never a path or free text. */
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** A garden of a root whose local files do not verify. */
export interface DamagedGarden {
  readonly revision: string;
  readonly garden: string;
}

/** Health of a mirror's origin; times in milliseconds since 1970. */
export interface OriginHealth {
  /** When it became unreachable; null if it answers. */
  readonly unreachable_since: number | null;
  /** When it first announced a root that does not verify; null if none. */
  readonly refused_since: number | null;
}

/** Health of the withdrawal list. */
export interface WithdrawalsHealth {
  /** Invalid records of the list. */
  readonly skipped: number;
  /** Withdrawals that a signed freshness statement names but the list lacks. */
  readonly missing: number;
  /** The latest time at which a withdrawal hidden from this server takes effect; null if unbounded. */
  readonly until: string | null;
}

/** Health of the rollout, for operators; times in milliseconds since 1970. */
export interface RolloutHealth {
  readonly revision: string;
  readonly activated_at: number;
  /** Activations since the start, including the first. */
  readonly activated: number;
  /** Roots refused since the start; a retry that fails for the same reason does not count again. */
  readonly refused: number;
  readonly last_refusal: Refused | null;
  /** When the announced root was first refused; null if the announced root is served. */
  readonly stale_since: number | null;
  /** When the bundle's origin became unreachable; null if it answers, and for a folder. */
  readonly unreachable_since: number | null;
  readonly withdrawals: WithdrawalsHealth;
  /** Agents answered from another root. */
  readonly canaries: readonly { readonly agent: string; readonly revision: string }[];
  /** Whether shutdown has begun. */
  readonly is_ending: boolean;
}

/** The snapshots that answer now. */
export interface Rollout {
  readonly current: () => Snapshot;
  /** The snapshot for an agent, by id or short name: its canary's, if it has one. */
  readonly snapshotFor: (agent: string) => Snapshot;
  readonly health: () => RolloutHealth;
  /** Whether nothing is served any more because the bundle is not fresh. */
  readonly isStale: () => boolean;
}

/** The warning of every answer of a working tree: its texts are in no commit, and may be others at the next request. */
export function versionWarnings({ gardens }: Pick<Snapshot, 'gardens'>): 'unversioned'[] {
  return gardens.bundle.root.predicate.unversioned ? ['unversioned'] : [];
}
