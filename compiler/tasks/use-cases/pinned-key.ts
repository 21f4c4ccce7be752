import { createPublicKey } from 'node:crypto';
import { join } from 'node:path';
import { ORCHESTRATOR_FILE } from '../../capabilities/gate/disk-store.ts';
import type { StateFolder } from '../../capabilities/use-cases/state-folder.ts';
import { readIfThere } from '../../io/files/file.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { keyId } from '../../trust/public-key.ts';
import type { OrchestratorKey } from '../sealed-plan.ts';

const MAX_PEM = 16_384;

/** The public key that `vade capability install` put beside the bindings; null if none. @throws bundle_unverified */
export function pinnedKey({ tasks }: Pick<StateFolder, 'tasks'>): OrchestratorKey | null {
  const pem = readIfThere(join(tasks, ORCHESTRATOR_FILE), MAX_PEM, 'refuse')?.toString('utf8');
  if (pem === undefined || pem.includes('PRIVATE KEY')) return null;
  try {
    return { keyid: keyId(createPublicKey(pem)), pem };
  } catch (error) {
    throw new VadeError('bundle_unverified', `${ORCHESTRATOR_FILE} is not a public key: ${messageOf(error)}`);
  }
}
