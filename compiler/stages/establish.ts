import { VadeError } from '../model/errors.ts';
import type { TreeFile } from '../model/sources.ts';
import { walkChain, type SealedRoot } from '../trust/chain.ts';
import type { Signer } from '../trust/dsse.ts';
import type { Site } from './survey.ts';

/** The trust root in force, and every envelope that leads to it. */
export interface Trust {
  readonly current: SealedRoot;
  readonly envelopes: ReadonlyMap<number, Buffer>;
}

/**
 * The chain from the pinned root through the sources' own (DESIGN §7); a development root stands alone.
 *
 * @throws bundle_unverified, signing_key_required
 */
export function establishTrust(
  pinned: SealedRoot,
  signers: readonly Signer[],
  site: Site,
  read: (file: TreeFile) => Buffer,
): Trust {
  const envelopes = new Map([[pinned.root.version, pinned.envelope]]);
  if (!pinned.root.development) for (const [version, file] of site.trust) envelopes.set(version, read(file));
  const current = walkChain(pinned, envelopes);
  const { keyids, threshold } = current.root.roles.bundle;
  const signing = new Set(signers.map((it) => it.keyid).filter((id) => keyids.includes(id)));
  if (signing.size < threshold) {
    const message = `trust root ${current.root.version} asks for ${threshold} of its bundle keys; ${signing.size} were given`;
    throw new VadeError('signing_key_required', message);
  }
  return { current, envelopes };
}
