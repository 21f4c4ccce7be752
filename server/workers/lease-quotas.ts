import type { Lease, LeaseRequest } from './messages.ts';

/** The window of every limit, in milliseconds. */
const WINDOW_MS = 60_000;

/** A caller's quota, of which this share of a worker's equal part is leased at once: few questions, and little unused. */
const SHARE = 4;

interface Quota {
  left: number;
  readonly until: number;
}

/**
 * The quotas of all callers, kept by the first process: a worker leases a part of one, and counts down by itself. So a
 * limit holds over all workers, and most requests ask nobody. What a killed worker had leased is lost until the window
 * ends.
 *
 * @param now milliseconds since 1970
 */
export function leaseQuotas(workers: number, now: () => number): (request: LeaseRequest) => Lease {
  // two generations, so that callers who never come back are forgotten
  let young = new Map<string, Quota>();
  let old = new Map<string, Quota>();
  let turned = now();
  const turn = (at: number) => {
    if (at - turned < WINDOW_MS && at >= turned) return;
    old = young;
    young = new Map();
    turned = at;
  };
  return ({ limit, quota, key }) => {
    const at = now();
    turn(at);
    const name = `${limit} ${key}`;
    const known = young.get(name) ?? old.get(name);
    const isCurrent = known !== undefined && at < known.until && known.until - at <= WINDOW_MS;
    const current = isCurrent ? known : { left: quota, until: at + WINDOW_MS };
    young.set(name, current);
    const granted = Math.min(current.left, Math.max(1, Math.floor(current.left / (SHARE * workers))));
    current.left -= granted;
    return { granted, left: current.left, until: current.until };
  };
}
