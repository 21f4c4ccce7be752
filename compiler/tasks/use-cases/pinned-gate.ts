import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { ORCHESTRATOR_FILE, ROOT_FILE } from '../../capabilities/gate/disk-store.ts';
import { readBinding } from '../../capabilities/gate/read-binding.ts';
import { readPinnedRoot } from '../../capabilities/gate/read-root.ts';
import { readIfThere } from '../../io/files/file.ts';
import { MAX_ENVELOPE_BYTES } from '../../schema/bundle/bundle.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { Signer } from '../../trust/dsse.ts';
import { keyId } from '../../trust/public-key.ts';

const INSTALL = 'vade capability install';

/**
 * Asks the gate's own code whether it will accept a binding under the key and the trust root that `install` pinned: an
 * agent whose every call is denied must not be started.
 *
 * @returns whether anything is pinned; without that no gate stops the agent
 * @throws approval_required, signing_key_required
 */
export function assertGateAccepts(binding: Buffer, tasks: string, orchestrator: Signer, now: number): boolean {
  const pem = readIfThere(join(tasks, ORCHESTRATOR_FILE), MAX_ENVELOPE_BYTES, 'refuse');
  const root = readIfThere(join(tasks, ROOT_FILE), MAX_ENVELOPE_BYTES, 'refuse');
  if (pem === null || root === null) return false;
  const key = createPublicKey(pem);
  if (keyId(key) !== orchestrator.keyid) {
    const message = 'the hook pins the key of another orchestrator, so the gate would deny every call';
    throw new VadeError('signing_key_required', message, { suggestion: INSTALL });
  }
  try {
    const pinned = readPinnedRoot(root, sha256(root), now);
    readBinding(binding, { orchestrator: key, fingerprint: orchestrator.keyid, root: pinned, now });
  } catch (error) {
    const message = `the gate would deny every call of the agent: ${messageOf(error)}`;
    // the role is proved already, under the newest root of the chain
    const suggestion = `${INSTALL} with the newest trust root: the hook accepts only the root that it pins`;
    throw new VadeError('approval_required', message, { suggestion });
  }
  return true;
}
