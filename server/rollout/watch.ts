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
import type { SkippedRecord } from '../../compiler/trust/judge-withdrawals.ts';
import type { Withdrawn } from './withdrawals.ts';

/** Looks at a file beside a bundle again; costs one stat where it did not change. */
type Look = () => void;

export interface WithdrawalsWatch {
  readonly bundle: () => OpenBundle;
  readonly withdrawn: Withdrawn;
  /** Told after facts were added to `withdrawn`. */
  readonly onOrdered: () => void;
  /** Told how many are not listed any more; what was taken out once stays out. */
  readonly onShortened: (count: number) => void;
  readonly onSkipped: (skipped: readonly SkippedRecord[]) => void;
  readonly onBad: (error: unknown) => void;
}

/** How the list of withdrawals stands, as it was last looked at. */
export interface WatchedWithdrawals {
  readonly look: Look;
  /** Records that do not hold. */
  readonly skipped: () => number;
  /** How many a signed freshness statement names that are not to be had. */
  readonly missing: () => number;
}

/** Notices what administrators withdraw while a bundle is served (DESIGN §7). */
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
    const gone = listed.filter((it) => !found.keys.has(it)).length;
    if (gone > 0) onShortened(gone);
    if (found.skipped.length > 0) onSkipped(found.skipped);
    const lost = found.missing.filter((it) => !withdrawn.keys.has(it));
    [listed, skipped, missing] = [found.listed, found.skipped.length, lost.length];
    assertNoneMissing(lost);
  };
  const look = () => {
    const latest = `${bundle().revision} ${stampOf(bundle())}`;
    if (latest === stamp) return;
    stamp = latest;
    try {
      read();
    } catch (error) {
      onBad(error);
    }
  };
  look();
  return { look, skipped: () => skipped, missing: () => missing };
}

/** Both files: what one of them says is judged by the other. */
function stampOf({ folder }: OpenBundle): string {
  return `${sidecarStamp(folder, WITHDRAWN)} ${sidecarStamp(folder, FRESHNESS)}`;
}

/** How fresh one bundle is. */
export interface FreshnessWatch {
  /** Whether its statement holds; null where it has none. One that held does so until its own time is over. */
  readonly isFresh: () => boolean | null;
  /** Until when the one that holds does, ISO 8601; null where none does. */
  readonly until: () => string | null;
  readonly look: Look;
}

/** How long a signature is believed before its key is asked again, in milliseconds. */
const BELIEVED_MS = 60_000;

export interface FreshnessWatching {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** What is withdrawn here, by all that is known. */
  readonly withdrawn: Pick<Withdrawn, 'keys'>;
  /** Told once of each statement that does not verify. */
  readonly onBad: (error: unknown) => void;
}

export function watchFreshness(bundle: OpenBundle, { now, withdrawn, onBad }: FreshnessWatching): FreshnessWatch {
  let stamp: string | null = null;
  let askedAt = -Infinity;
  let held: Freshness | null = null;
  let isBad = false;
  const look = () => {
    const latest = stampOf(bundle);
    const isNew = latest !== stamp;
    if (!isNew && (isBad || Math.abs(now() - askedAt) < BELIEVED_MS)) return;
    [stamp, askedAt] = [latest, now()];
    try {
      const found = freshnessOf(bundle, new Date(now()).toISOString());
      if (found) assertTakes(found, held, withdrawn.keys);
      held = found ?? held;
      isBad = false;
    } catch (error) {
      // another statement takes nothing from the one that held; the same one may have lost its key
      if (!isNew) held = null;
      isBad = true;
      onBad(error);
    }
  };
  look();
  const holds = () => held !== null && Date.parse(held.expires) > now();
  return {
    look,
    isFresh: () => (held === null && !isBad ? null : holds()),
    until: () => (held !== null && holds() ? held.expires : null),
  };
}

/** A statement is fresh of what is here alone: it is no older than the last one, and nothing that it names is hidden. */
function assertTakes(found: Freshness, held: Freshness | null, out: ReadonlySet<string>): void {
  if (held !== null && Date.parse(found.issued) < Date.parse(held.issued)) {
    throw refuse('not_fresh', `the freshness statement of ${found.issued} is older than the one before`);
  }
  assertNoneMissing(found.withdrawals.filter((it) => !out.has(it)));
}
