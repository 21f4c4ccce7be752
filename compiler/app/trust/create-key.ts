import { createFile } from '../../io/files/durable.ts';
import { signerFromPem } from '../../trust/dsse.ts';
import { newSigningKey } from '../../trust/root-chain.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { World } from '../../world/world.ts';
import type { TRUST_KEYGEN } from '../flags/trust.ts';
import { unusedPath } from './unused-path.ts';

type KeyFlags = Pick<Arguments<typeof TRUST_KEYGEN>, 'out' | 'dry-run'>;

/** The public half of a new key. */
interface CreatedKey {
  readonly keyid: string;
  readonly publicPem: string;
}

/**
 * Creates an Ed25519 key in a file that only its owner can read.
 *
 * @returns the public key; null for a dry run
 * @throws already_exists, output_failed
 */
export function createKey({ out, 'dry-run': dryRun }: KeyFlags, world: World): CreatedKey | null {
  const path = unusedPath(out, world);
  if (dryRun) return null;
  const pem = newSigningKey();
  createFile(path, pem, { mode: 0o600 });
  const { keyid, publicPem } = signerFromPem(pem);
  return { keyid, publicPem };
}
