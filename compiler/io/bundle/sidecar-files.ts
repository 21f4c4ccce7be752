import { join } from 'node:path';
import { MAX_ENVELOPE_BYTES } from '../../schema/bundle/bundle.ts';
import type { Freshness } from '../../schema/bundle/freshness.ts';
import type { Rollback } from '../../schema/bundle/rollback.ts';
import { refuse } from '../../schema/refusals.ts';
import type { TrustRoot } from '../../schema/source/trust-root.ts';
import { boundBy, openFreshness } from '../../trust/freshness.ts';
import { judgeWithdrawals, type Judging, type Withdrawals } from '../../trust/judge-withdrawals.ts';
import { isLapsed, openRollback, peekRollback } from '../../trust/rollback.ts';
import { readCappedIfThere, stampFile } from '../files/tree.ts';
import type { OpenBundle } from './open-bundle.ts';

/** The sidecar files: they change without a compile, and the root does not sign them (DESIGN §8). */
export const WITHDRAWN = 'withdrawn.dsse.json';
export const FRESHNESS = 'freshness.dsse.json';
export const ROLLBACK = 'rollback.dsse.json';

/**
 * The facts that administrators withdrew from a bundle, as `series digest`.
 *
 * @throws bundle_unverified: withdrawals_missing if a signed freshness statement names one that is not in the list
 */
export function withdrawnFrom(bundle: OpenBundle): ReadonlySet<string> {
  const { keys, missing } = withdrawalsOf(bundle);
  assertNoneMissing(missing);
  return keys;
}

/**
 * The withdrawals of a bundle, and the records of its list that were skipped.
 *
 * @throws bundle_unverified: format_unknown for a list that cannot be parsed
 */
export function withdrawalsOf(bundle: OpenBundle): Withdrawals {
  return judgeWithdrawals(
    readSidecar(bundle.folder, WITHDRAWN),
    judgingOf(bundle, readSidecar(bundle.folder, FRESHNESS)),
  );
}

/**
 * The input for verifying the withdrawals of a bundle.
 *
 * @param freshness the statement that names the required withdrawals; null without one
 */
export function judgingOf({ chain, trust, root, now, withdrawn }: OpenBundle, freshness: Buffer | null): Judging {
  const { deployment } = root.predicate;
  return { deployment, chain, now, carried: withdrawn, bound: boundBy(freshness, trust, deployment, now) };
}

/** @throws bundle_unverified: withdrawals_missing */
export function assertNoneMissing(missing: readonly string[]): void {
  const [one = ''] = missing;
  if (missing.length === 0) return;
  const message = `${missing.length} withdrawals that the freshness statement names are missing, among them that of ${seriesOf(one)}`;
  throw refuse('withdrawals_missing', message, { missing: missing.slice(0, MAX_REPORTED) });
}

/** The maximum of missing withdrawals that an error names. */
const MAX_REPORTED = 10;

const seriesOf = (key: string) => key.slice(0, key.indexOf(' '));

/** A stamp that changes whenever a sidecar file may have changed; called every second, so it reads no file. */
export function sidecarStamp(folder: string, name: string): string {
  return stampFile(join(folder, name));
}

/** The freshness statement of a bundle; null without one. @throws bundle_unverified */
export function freshnessOf({ folder, trust, root, revision }: OpenBundle, now: string): Freshness | null {
  const bytes = readSidecar(folder, FRESHNESS);
  const { deployment } = root.predicate;
  return bytes && openFreshness(bytes, trust, { deployment, revision }, now);
}

/**
 * The permission to return to an older root; null without one or if it has expired.
 *
 * @param trust the newest known trust root, whose administrators may give it
 * @throws bundle_unverified
 */
export function rollbackOf({ folder, root }: OpenBundle, trust: TrustRoot, now: string): Rollback | null {
  const bytes = readSidecar(folder, ROLLBACK);
  try {
    return bytes && openRollback(bytes, trust, root.predicate.deployment, now);
  } catch (error) {
    // an expired permission must not block the bundle, even if its signer is no longer an administrator
    if (bytes && isLapsed(bytes, now)) return null;
    throw error;
  }
}

/**
 * Whether an unexpired permission allows the return to this bundle. One for another bundle says nothing about it.
 *
 * @param trust the newest known trust root, whose administrators may give it
 * @throws bundle_unverified if the permission for this bundle does not verify
 */
export function isReturnAllowed(bundle: OpenBundle, trust: TrustRoot, now: string): boolean {
  return hasPermission(bundle) && rollbackOf(bundle, trust, now) !== null;
}

/** Whether this bundle has a permission, by its own unverified words. @throws bundle_unverified if it cannot be read */
function hasPermission({ folder, revision }: OpenBundle): boolean {
  const bytes = readSidecar(folder, ROLLBACK);
  return bytes !== null && peekRollback(bytes).revision === revision;
}

/** A file at the top of a bundle's folder; null if there is none. @throws bundle_unverified */
export function readSidecar(folder: string, name: string): Buffer | null {
  return readCappedIfThere(join(folder, name), MAX_ENVELOPE_BYTES);
}
