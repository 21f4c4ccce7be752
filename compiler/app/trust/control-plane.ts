import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { VadeError } from '../../schema/errors.ts';
import { ControlPlane, type PublicJwk } from '../../schema/source/control-plane.ts';
import { textOfFile } from '../../schema/text-file.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { CONTROL_PLANE } from '../../world/flags/shared.ts';
import type { World } from '../../world/world.ts';

const MAX_JWKS_BYTES = 65_536;

/** The control plane, whose tokens wake agents (§21.1.5 S1): all three values or none. */
export type ControlPlaneFlags = Arguments<typeof CONTROL_PLANE>;

/** Reads the named control plane; null if none is named. @throws argument_invalid, source_not_found */
export function readControlPlane({ jwks, issuer, audience }: ControlPlaneFlags, world: World): ControlPlane | null {
  const given = [jwks, issuer, audience].filter((it) => it !== undefined);
  if (given.length === 0) return null;
  if (jwks === undefined || given.length < 3) {
    throw new VadeError('argument_invalid', 'give all of --jwks, --issuer and --audience, or none', { flag: 'jwks' });
  }
  const parsed = ControlPlane.safeParse({ issuer, audience, jwks: readJson(resolve(world.cwd, jwks), jwks) });
  if (!parsed.success) {
    const faults = parsed.error.issues.map((it) => `${it.path.join('.')}: ${it.message}`);
    const message = `${jwks} is not a JWKS of public Ed25519 or P-256 keys, each with a kid: ${faults.join('; ')}`;
    throw new VadeError('argument_invalid', message, { flag: 'jwks', faults });
  }
  assertPublicKeys(parsed.data);
  return parsed.data;
}

/** Checks that every key is a point on its curve, which the schema cannot. @throws argument_invalid */
export function assertPublicKeys({ jwks }: ControlPlane): void {
  const bad = jwks.keys.filter((key) => !isPublicKey(key)).map((it) => it.kid);
  if (bad.length === 0) return;
  const message = `the control plane’s key ${bad.join(', ')} is not a valid public key`;
  throw new VadeError('argument_invalid', message, { kids: bad });
}

function isPublicKey({ kty, crv, x, ...rest }: PublicJwk): boolean {
  try {
    const jwk: JsonWebKey = { kty, crv, x, ...('y' in rest && { y: rest.y }) };
    return createPublicKey({ key: jwk, format: 'jwk' }).type === 'public';
  } catch {
    return false;
  }
}

/** Untrusted input, and possibly a private key by mistake, so errors never quote it. */
function readJson(path: string, given: string): unknown {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new VadeError('source_not_found', `${given} does not exist`);
  if (stat.size > MAX_JWKS_BYTES) throw new VadeError('argument_invalid', `${given} is too large for a JWKS`);
  try {
    return z.looseObject({}).parse(JSON.parse(textOfFile(readFileSync(path))));
  } catch {
    throw new VadeError('argument_invalid', `${given} is not a JWKS`, { flag: 'jwks' });
  }
}
