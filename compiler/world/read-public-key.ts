import { createPublicKey, type KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { readRegular } from '../io/files/file.ts';
import { VadeError } from '../schema/errors.ts';
import { orNull } from '../schema/or-null.ts';
import { asWritten } from '../schema/text-file.ts';
import { keyId } from '../trust/public-key.ts';
import type { World } from './world.ts';

const MAX_PEM_BYTES = 16_384;

/** A public key as a trust root has it. */
export interface PublicKey {
  readonly keyid: string;
  readonly pem: string;
}

/**
 * The public half of an Ed25519 key in PEM, private or public. The file may be a private key, so no error quotes it.
 *
 * @param flag that named the file
 * @throws argument_invalid, source_not_found
 */
export function readPublicKey(given: string, flag: string, { cwd }: World): PublicKey {
  const key = parsePem(readPem(resolve(cwd, given), given));
  if (key?.asymmetricKeyType !== 'ed25519') {
    throw new VadeError('argument_invalid', `${given} is not an Ed25519 key in PEM`, { flag });
  }
  return { keyid: keyId(key), pem: key.export({ type: 'spki', format: 'pem' }).toString() };
}

function readPem(path: string, given: string): Buffer {
  try {
    return readRegular(path, MAX_PEM_BYTES);
  } catch {
    const suggestion = `make one with vade trust keygen --out ${given}`;
    throw new VadeError('source_not_found', `${given} cannot be read as a key`, { suggestion });
  }
}

function parsePem(pem: Buffer): KeyObject | null {
  return orNull(() => createPublicKey(asWritten(pem.toString('utf8'))));
}
