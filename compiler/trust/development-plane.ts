import type { Claims, ControlPlane, PublicJwk } from '../schema/source/control-plane.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import type { Signer } from './dsse.ts';
import { publicKeyOf } from './public-key.ts';

const ISSUER = 'vade-development';

/** The deployment is part of it, as it should be with a real control plane. */
const audienceOf = ({ deployment }: TrustRoot) => `vade-development:${deployment}`;

/**
 * A token that wakes an agent of a server for development (RFC 7519). It is signed by the key that signs bundles: the
 * text of a DSSE signature begins with `DSSEv1`, that of a token never does, so neither can stand for the other.
 */
export function developmentToken({ keyid, sign }: Signer, root: TrustRoot, claims: Claims): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = { alg: 'EdDSA', kid: keyid, typ: 'JWT' };
  const text = `${part(header)}.${part({ ...claims, iss: ISSUER, aud: audienceOf(root) })}`;
  return `${text}.${sign(Buffer.from(text)).toString('base64url')}`;
}

/**
 * The trust root of a server for development: its bundle keys sign tokens too, so that a heartbeat can be tried. Only a
 * development root is changed, and only if it names no control plane itself.
 */
export function withDevelopmentPlane(trust: () => TrustRoot): () => TrustRoot {
  let known: { readonly from: TrustRoot; readonly to: TrustRoot } | undefined;
  return () => {
    const from = trust();
    if (from.development !== true || from.control_plane !== undefined) return from;
    // the same object for the same root: verified tokens are cached by it
    if (known?.from !== from) known = { from, to: { ...from, control_plane: planeOf(from) } };
    return known.to;
  };
}

function planeOf(root: TrustRoot): ControlPlane {
  const keys = root.roles.bundle.keyids.map((kid) => jwkOf(root, kid));
  return { issuer: ISSUER, audience: audienceOf(root), jwks: { keys } };
}

function jwkOf(root: TrustRoot, kid: string): PublicJwk {
  const { x = '' } = publicKeyOf(root, kid).export({ format: 'jwk' });
  return { kty: 'OKP', crv: 'Ed25519', kid, x };
}
