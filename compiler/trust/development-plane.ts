import { createPublicKey } from 'node:crypto';
import type { Claims, ControlPlane, PublicJwk } from '../schema/source/control-plane.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import type { Signer } from './dsse.ts';

const ISSUER = 'vade-development';
const AUDIENCE = 'vade';
const KID = 'development';

/** A control plane for development, whose tokens the development key signs. */
export function developmentPlane({ publicPem }: Signer): ControlPlane {
  const { x } = createPublicKey(publicPem).export({ format: 'jwk' });
  const key = { kty: 'OKP', crv: 'Ed25519', kid: KID, x } as PublicJwk;
  return { issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [key] } };
}

/** A token of that control plane (RFC 7519), which only a server under a development root accepts. */
export function developmentToken({ sign }: Signer, claims: Claims): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = { alg: 'EdDSA', kid: KID, typ: 'JWT' };
  const text = `${part(header)}.${part({ iss: ISSUER, aud: AUDIENCE, ...claims })}`;
  return `${text}.${sign(Buffer.from(text)).toString('base64url')}`;
}

/** The trust root of a server for development: with this control plane, if it is one and names none itself. */
export function withDevelopmentPlane(trust: () => TrustRoot, plane: ControlPlane | undefined): () => TrustRoot {
  let known: readonly [from: TrustRoot, to: TrustRoot] | undefined;
  return () => {
    const root = trust();
    if (plane === undefined || root.development !== true || root.control_plane !== undefined) return root;
    // the same object for the same root: tokens are cached by it
    if (known?.[0] !== root) known = [root, { ...root, control_plane: plane }];
    return known[1];
  };
}
