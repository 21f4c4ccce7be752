import { join } from 'node:path';
import { openResults, type OpenResults } from '../io/files/kept-results.ts';
import { PRIVATE_FOLDER } from '../schema/source/private-files.ts';
import type { Signer } from '../trust/dsse.ts';
import type { SignedRoot } from '../trust/root-chain.ts';
import type { World } from './world.ts';

/** The results of earlier runs, beside the development key. */
export const KEPT_RESULTS = 'kept-results.json';

/** Signed by the development key, this is a secret of its folder; an Ed25519 signature of a text is always the same. */
const SECRET = Buffer.from('vademecum: the code of kept results');

/**
 * The results of earlier compiles for development. Null under any other root: what others trust is worked out anew,
 * from the sources alone.
 */
export function openKeptResults(root: SignedRoot, signer: Signer | null, world: World): OpenResults | null {
  if (root.root.development !== true || signer === null) return null;
  return openResults(signer.sign(SECRET).toString('hex'), join(world.cwd, PRIVATE_FOLDER, KEPT_RESULTS));
}
