import { freshnessOf, withdrawnFrom, withdrawnStamp } from '../compiler/edge/beside.ts';
import type { OpenBundle } from '../compiler/edge/bundle.ts';
import { messageOf } from '../compiler/model/errors.ts';
import type { Gardens } from './gardens.ts';

/** What changes beside a bundle while it is served (DESIGN §7). */
export interface Watch {
  /** Whether the freshness statement holds; null where the bundle has none. */
  readonly fresh: () => boolean | null;
  readonly end: () => void;
}

export interface WatchOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly onBad: (what: 'withdrawals' | 'freshness', error: unknown) => void;
  readonly onWithdrawn: (facts: number) => void;
}

const POLL_MS = 1000;

/**
 * Takes withdrawn facts out, now and whenever more are ordered; what was taken out once stays out.
 *
 * @throws bundle_unverified where the withdrawals that are there do not verify: an order must not be lost silently
 */
export function watchBeside(bundle: OpenBundle, gardens: Gardens, options: WatchOptions): Watch {
  const instant = () => new Date(options.now()).toISOString();
  let stamp = withdrawnStamp(bundle.folder);
  gardens.withdraw(withdrawnFrom(bundle));
  let fresh = freshnow(bundle, instant(), options);
  const poll = () => {
    const was = fresh;
    fresh = freshnow(bundle, instant(), was === false ? { ...options, onBad: () => undefined } : options);
    const latest = withdrawnStamp(bundle.folder);
    if (latest === stamp) return;
    stamp = latest;
    try {
      gardens.withdraw(withdrawnFrom(bundle));
      options.onWithdrawn(gardens.withdrawn.size);
    } catch (error) {
      options.onBad('withdrawals', error);
    }
  };
  const timer = setInterval(poll, POLL_MS).unref();
  return {
    fresh: () => fresh,
    end: () => {
      clearInterval(timer);
    },
  };
}

function freshnow(bundle: OpenBundle, now: string, { onBad }: WatchOptions): boolean | null {
  try {
    return freshnessOf(bundle, now) === null ? null : true;
  } catch (error) {
    onBad('freshness', new Error(messageOf(error)));
    return false;
  }
}
