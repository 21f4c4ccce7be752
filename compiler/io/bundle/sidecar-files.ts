import { join } from 'node:path';
import { MAX_ENVELOPE_BYTES } from '../../schema/bundle/bundle.ts';
import type { Freshness } from '../../schema/bundle/freshness.ts';
import type { Rollback } from '../../schema/bundle/rollback.ts';
import { refuse } from '../../schema/refusals.ts';
import { boundBy, openFreshness } from '../../trust/freshness.ts';
import { judgeWithdrawals, type Judging, type Withdrawals } from '../../trust/judge-withdrawals.ts';
import { isLapsed, openRollback } from '../../trust/rollback.ts';
import { readCappedIfThere, stampFile } from '../files/tree.ts';
import type { OpenBundle } from './open-bundle.ts';

/** What stands beside the byte-identical set of a bundle (DESIGN §8). */
export const WITHDRAWN = 'withdrawn.dsse.json';
export const FRESHNESS = 'freshness.dsse.json';
export const ROLLBACK = 'rollback.dsse.json';

/**
 * The facts that administrators took out of a bundle, as `series digest`.
 *
 * @throws bundle_unverified: withdrawals_missing where a signed freshness statement names more than are there
 */
export function withdrawnFrom(bundle: OpenBundle): ReadonlySet<string> {
  const { keys, missing } = withdrawalsOf(bundle);
  assertNoneMissing(missing);
  return keys;
}

/**
 * What is withdrawn from a bundle, and which records of its list were skipped.
 *
 * @throws bundle_unverified: format_unknown for a list that cannot be read at all
 */
export function withdrawalsOf(bundle: OpenBundle): Withdrawals {
  return judgeWithdrawals(
    readSidecar(bundle.folder, WITHDRAWN),
    judgingOf(bundle, readSidecar(bundle.folder, FRESHNESS)),
  );
}

/**
 * What the withdrawals of a bundle are judged by.
 *
 * @param freshness the statement that says which there have to be; null for none
 */
export function judgingOf({ chain, trust, root, now, withdrawn }: OpenBundle, freshness: Buffer | null): Judging {
  const { deployment } = root.predicate;
  return { deployment, chain, now, carried: withdrawn, bound: boundBy(freshness, trust, deployment, now) };
}

/** @throws bundle_unverified: withdrawals_missing */
export function assertNoneMissing(missing: readonly string[]): void {
  const [one = ''] = missing;
  if (missing.length === 0) return;
  const message = `${missing.length} withdrawals that the freshness statement names are missing, one of them of ${seriesOf(one)}`;
  throw refuse('withdrawals_missing', message, { missing: missing.slice(0, MAX_TOLD) });
}

/** How many of them an error names. */
const MAX_TOLD = 10;

const seriesOf = (key: string) => key.slice(0, key.indexOf(' '));

/** Changes whenever a file at the top of a bundle directory may have; asked every second, so that it costs no reading. */
export function sidecarStamp(folder: string, name: string): string {
  return stampFile(join(folder, name));
}

/** The freshness statement of a bundle; null where there is none. @throws bundle_unverified */
export function freshnessOf({ folder, trust, root, revision }: OpenBundle, now: string): Freshness | null {
  const bytes = readSidecar(folder, FRESHNESS);
  const { deployment } = root.predicate;
  return bytes && openFreshness(bytes, trust, { deployment, revision }, now);
}

/** The permission to return to an older root; null where there is none, or its time is over. @throws bundle_unverified */
export function rollbackOf({ folder, trust, root }: OpenBundle, now: string): Rollback | null {
  const bytes = readSidecar(folder, ROLLBACK);
  try {
    return bytes && openRollback(bytes, trust, root.predicate.deployment, now);
  } catch (error) {
    // a permission that nobody uses any more must not stop a bundle that needs none, whoever has left since
    if (bytes && isLapsed(bytes, now)) return null;
    throw error;
  }
}

/** The older revisions that administrators allow a return to; none once its time is over. @throws bundle_unverified */
export function allowedRollbacks(bundle: OpenBundle, now: string): Set<string> {
  const rollback = rollbackOf(bundle, now);
  return new Set(rollback ? [rollback.revision] : []);
}

/** A file at the top of a bundle directory; null where there is none. @throws bundle_unverified */
export function readSidecar(folder: string, name: string): Buffer | null {
  return readCappedIfThere(join(folder, name), MAX_ENVELOPE_BYTES);
}
