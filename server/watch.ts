import { besideStamp, FRESHNESS, freshnessOf, WITHDRAWN, withdrawnFrom } from '../compiler/edge/beside.ts';
import type { OpenBundle } from '../compiler/edge/bundle.ts';
import type { Freshness } from '../compiler/model/freshness.ts';

/** Looks at a file beside a bundle again; costs one stat where it did not change. */
export type Look = () => void;

export interface WithdrawalsWatch {
  readonly bundle: () => OpenBundle;
  /** Given all that are ordered now; what was taken out once stays out. */
  readonly onOrdered: (keys: ReadonlySet<string>) => void;
  readonly onBad: (error: unknown) => void;
}

/** Notices what administrators withdraw while a bundle is served (DESIGN §7). */
export function watchWithdrawals({ bundle, onOrdered, onBad }: WithdrawalsWatch): Look {
  let stamp = besideStamp(bundle().folder, WITHDRAWN);
  return () => {
    const latest = besideStamp(bundle().folder, WITHDRAWN);
    if (latest === stamp) return;
    stamp = latest;
    try {
      onOrdered(withdrawnFrom(bundle()));
    } catch (error) {
      onBad(error);
    }
  };
}

/** How fresh one bundle is. */
export interface FreshnessWatch {
  /** Whether its statement holds; null where it has none. One that held does so until its own time is over. */
  readonly isFresh: () => boolean | null;
  readonly look: Look;
}

/** How long a signature is believed before its key is asked again, in milliseconds. */
const BELIEVED_MS = 60_000;

/** @param onBad told once of each statement that does not verify */
export function watchFreshness(bundle: OpenBundle, now: () => number, onBad: (error: unknown) => void): FreshnessWatch {
  let stamp: string | null = null;
  let askedAt = -Infinity;
  let held: Freshness | null = null;
  let isBad = false;
  const look = () => {
    const latest = besideStamp(bundle.folder, FRESHNESS);
    const isNew = latest !== stamp;
    if (!isNew && (isBad || Math.abs(now() - askedAt) < BELIEVED_MS)) return;
    [stamp, askedAt] = [latest, now()];
    try {
      held = freshnessOf(bundle, new Date(now()).toISOString()) ?? held;
      isBad = false;
    } catch (error) {
      // another statement takes nothing from the one that held; the same one may have lost its key
      if (!isNew) held = null;
      isBad = true;
      onBad(error);
    }
  };
  look();
  return {
    look,
    isFresh: () => (held === null ? (isBad ? false : null) : Date.parse(held.expires) > now()),
  };
}
