import type { Capsule, CapsuleFreshness } from '../schema/capsule.ts';
import type { FreshnessClass, Phase } from '../schema/words.ts';
import { millisecondsOf } from './clock.ts';

/** After how many seconds without a verification a capsule of each class is stale; null: never. */
const STALE_SECONDS: Readonly<Record<FreshnessClass, number | null>> = {
  persistent: null,
  durable: 15_552_000,
  situational: 2_592_000,
  ephemeral: 259_200,
};

const DEFAULT_CLASS: FreshnessClass = 'situational';

/**
 * Multiples of the threshold: up to the first a capsule is a little stale, up to the second very stale; then it has
 * expired.
 */
const SOFT = 1.5;
const HARD = 2;

/** The members that decide how fresh a capsule is. */
export interface Aged {
  readonly verified_at: string;
  readonly freshness?: CapsuleFreshness | undefined;
}

/** The seconds after which a capsule is stale: its own, or those of its class. */
export function staleSeconds({ freshness }: Pick<Capsule, 'freshness'>): number | null {
  return freshness?.stale_after_seconds ?? STALE_SECONDS[freshness?.freshness_class ?? DEFAULT_CLASS];
}

/** Freshness of a capsule. One whose verification has no readable time has expired. */
export function phaseOf({ verified_at, freshness }: Aged, now: number): Phase {
  const age = ageSeconds(verified_at, now);
  const expires = millisecondsOf(freshness?.expires_at);
  if (age === null || (expires !== null && now > expires)) return 'expired';
  const threshold = staleSeconds({ freshness });
  if (threshold === null || age <= threshold) return 'fresh';
  if (age <= threshold * SOFT) return 'stale_soft';
  return age <= threshold * HARD ? 'stale_hard' : 'expired_by_age';
}

/** Whole seconds since a time, never negative; null, not 0, if the time is missing or malformed. */
export function ageSeconds(time: unknown, now: number): number | null {
  const at = millisecondsOf(time);
  return at === null ? null : Math.max(0, Math.floor((now - at) / 1000));
}
