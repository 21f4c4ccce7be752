import { lockStates, openLocks } from '../../build/approvals/lock-states.ts';
import { shapesDigest } from '../../capabilities/lock/schema-lock.ts';
import { VadeError } from '../../schema/errors.ts';
import { hasCapabilities } from '../../sources/place-capability.ts';
import { canonicalJson, sha256 } from '../../trust/canonical.ts';
import type { OpenSite } from './approval-sources.ts';
import { WHOLE, type Found } from './found-subject.ts';

/** Nobody wrote the shapes in this repository, so any administrator may approve. */
const AUTHORS = { names: new Set<string>(), proven: true };

/** `vade approve --kind schema_lock` locks the shapes that this program has. @throws fact_not_found */
export function readLock({ site, sources }: OpenSite): Found {
  if (!hasCapabilities(site)) {
    throw new VadeError('fact_not_found', `${sources.folder} has no atoms and no roles: there is nothing to lock`);
  }
  const digest = shapesDigest();
  return { of: { ...WHOLE, value: digest, digest }, authors: AUTHORS };
}

/**
 * `vade approve --kind schema_unlock` ends every lock that is in force at the ref, or lacks only signatures.
 *
 * @throws trust_required, fact_not_found
 */
export function readLockEnd({ decisions, sources }: OpenSite): Found {
  if (decisions === null) {
    throw new VadeError('trust_required', 'without a trust root no lock is in force: give --trust');
  }
  const ids = openLocks(lockStates(decisions)).map(({ id }) => id);
  if (ids.length === 0) {
    throw new VadeError(
      'fact_not_found',
      `no lock of ${sources.folder} is in force at this commit: there is nothing to end`,
    );
  }
  const digest = sha256(canonicalJson(ids));
  return { of: { ...WHOLE, value: digest, digest, sources: ids }, authors: AUTHORS };
}
