import type { Logger } from 'pino';
import type { OpenBundle } from '../../compiler/io/bundle/open-bundle.ts';
import {
  assertNoneMissing,
  sidecarStamp,
  FRESHNESS,
  freshnessOf,
  WITHDRAWN,
  withdrawalsOf,
} from '../../compiler/io/bundle/sidecar-files.ts';
import type { Freshness } from '../../compiler/schema/bundle/freshness.ts';
import { refuse } from '../../compiler/schema/refusals.ts';
import { expiringParts } from '../../compiler/trust/expiry.ts';
import type { SkippedRecord } from '../../compiler/trust/judge-withdrawals.ts';
import type { Withdrawn } from './withdrawals.ts';

/** Reads a sidecar file again if it changed; costs one stat call otherwise. */
type Refresh = () => void;

export interface WithdrawalsWatch {
  readonly bundle: () => OpenBundle;
  readonly withdrawn: Withdrawn;
  /** Called after facts were added to `withdrawn`. */
  readonly onOrdered: () => void;
  /** Called with the number of records that are no longer listed; their facts stay withdrawn. */
  readonly onShortened: (count: number) => void;
  readonly onSkipped: (skipped: readonly SkippedRecord[]) => void;
  readonly onBad: (error: unknown) => void;
}

/** The withdrawal list at its last read. */
export interface WatchedWithdrawals {
  readonly refresh: Refresh;
  /** Invalid records. */
  readonly skipped: () => number;
  /** Withdrawals that a signed freshness statement names but the list lacks. */
  readonly missing: () => number;
}

/** Applies withdrawals while a bundle is served (DESIGN §7). */
export function watchWithdrawals(watch: WithdrawalsWatch): WatchedWithdrawals {
  const { bundle, withdrawn, onOrdered, onShortened, onSkipped, onBad } = watch;
  let stamp: string | null = null;
  let listed: readonly string[] = [];
  let skipped = 0;
  let missing = 0;
  const read = () => {
    const found = withdrawalsOf(bundle());
    const before = withdrawn.keys.size;
    withdrawn.add(found.keys);
    if (withdrawn.keys.size > before) onOrdered();
    const removed = listed.filter((it) => !found.keys.has(it)).length;
    if (removed > 0) onShortened(removed);
    if (found.skipped.length > 0) onSkipped(found.skipped);
    const lost = found.missing.filter((it) => !withdrawn.keys.has(it));
    listed = found.listed;
    skipped = found.skipped.length;
    missing = lost.length;
    assertNoneMissing(lost);
  };
  const refresh = () => {
    const latest = `${bundle().revision} ${stampOf(bundle())}`;
    if (latest === stamp) return;
    stamp = latest;
    try {
      read();
    } catch (error) {
      onBad(error);
    }
  };
  refresh();
  return { refresh, skipped: () => skipped, missing: () => missing };
}

/** Both files, because each is checked against the other. */
function stampOf({ folder }: OpenBundle): string {
  return `${sidecarStamp(folder, WITHDRAWN)} ${sidecarStamp(folder, FRESHNESS)}`;
}

interface TrustWatch {
  readonly bundle: () => OpenBundle;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Logs that the trust root or its keys expire within 30 days, once for each state of them. */
export function watchTrust({ bundle, now, log }: TrustWatch): Refresh {
  let logged = '';
  return () => {
    const { trust } = bundle();
    const expiring = expiringParts(trust, now());
    const state = expiring.join();
    if (state === logged) return;
    logged = state;
    if (expiring.length === 0) return;
    const help = 'draft the next root with vade trust draft: a server does not start under an expired one';
    log.warn({ trust_root: trust.version, expiring, help }, 'the trust root or its keys expire soon');
  };
}

/** The freshness of one bundle. */
export interface FreshnessWatch {
  /** Whether its statement is valid; null without one. A verified statement stays valid until it expires. */
  readonly isFresh: () => boolean | null;
  /** Expiry of the valid statement, ISO 8601; null without one. */
  readonly until: () => string | null;
  readonly refresh: Refresh;
}

/** Time for which a signature check is cached before the key is checked again, in milliseconds. */
const CACHED_MS = 60_000;

export interface FreshnessWatching {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** All withdrawals known to this server. */
  readonly withdrawn: Pick<Withdrawn, 'keys'>;
  /** Called once for each statement that does not verify. */
  readonly onBad: (error: unknown) => void;
}

export function watchFreshness(bundle: OpenBundle, { now, withdrawn, onBad }: FreshnessWatching): FreshnessWatch {
  let stamp: string | null = null;
  let checkedAt = -Infinity;
  let verified: Freshness | null = null;
  let isBad = false;
  const refresh = () => {
    const latest = stampOf(bundle);
    const isNew = latest !== stamp;
    if (!isNew && (isBad || Math.abs(now() - checkedAt) < CACHED_MS)) return;
    stamp = latest;
    checkedAt = now();
    try {
      const found = freshnessOf(bundle, new Date(now()).toISOString());
      if (found) assertAcceptable(found, verified, withdrawn.keys);
      verified = found ?? verified;
      isBad = false;
    } catch (error) {
      // a new bad statement leaves the verified one valid; an unchanged one may have lost its key
      if (!isNew) verified = null;
      isBad = true;
      onBad(error);
    }
  };
  refresh();
  const isValid = () => verified !== null && Date.parse(verified.expires) > now();
  return {
    refresh,
    isFresh: () => (verified === null && !isBad ? null : isValid()),
    until: () => (verified !== null && isValid() ? verified.expires : null),
  };
}

/** Accepts a statement only if it is not older than the last one and none of its withdrawals is missing. */
function assertAcceptable(found: Freshness, verified: Freshness | null, known: ReadonlySet<string>): void {
  if (verified !== null && Date.parse(found.issued) < Date.parse(verified.issued)) {
    throw refuse('not_fresh', `the freshness statement of ${found.issued} is older than the previous one`);
  }
  assertNoneMissing(found.withdrawals.filter((it) => !known.has(it)));
}
