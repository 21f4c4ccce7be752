import type { RolloutHealth } from '../rollout/snapshot.ts';
import type { Figures, Scraped } from '../telemetry/metrics.ts';

/** What the first process decided about the bundle, for all workers. */
export interface Led {
  /** The root to serve. */
  readonly revision: string;
  /** What only the process knows that looks for new roots. */
  readonly health: Pick<RolloutHealth, 'refused' | 'last_refusal' | 'stale_since' | 'unreachable_since'>;
}

/** A request for a part of a caller's quota. */
export interface LeaseRequest {
  /** The name of the limit. */
  readonly limit: string;
  readonly quota: number;
  /** The caller; a secret is never part of it. */
  readonly key: string;
}

/** A part of a caller's quota, which one worker may use up by itself. */
export interface Lease {
  /** Requests that the worker may let pass; 0 beyond the limit. */
  readonly granted: number;
  /** Requests that are left for all workers after that. */
  readonly left: number;
  /** When the quota begins anew, in milliseconds since 1970. */
  readonly until: number;
}

/** Why a worker could not start. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** What one process asks another, and the answer. The first four go to the first process, the others to a worker. */
export interface Questions {
  readonly lead: readonly [given: null, answer: Led];
  readonly lease: readonly [given: LeaseRequest, answer: Lease];
  readonly scrape: readonly [given: null, answer: Scraped];
  readonly settle: readonly [given: null, answer: null];
  readonly led: readonly [given: Led, answer: null];
  readonly metrics: readonly [given: null, answer: Figures];
  readonly settled: readonly [given: null, answer: null];
  readonly end: readonly [given: null, answer: null];
}

/** What a worker tells of itself. */
export type Told = { readonly told: 'ready'; readonly url: string } | ({ readonly told: 'failed' } & Failure);
