import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import type { ControlPlane, PublicJwk } from '../../compiler/schema/source/control-plane.ts';

export type Alg = 'EdDSA' | 'ES256';

/** A control plane for tests: who it is, as a trust root names it, and its pen. */
export interface Plane {
  readonly named: ControlPlane;
  /** A token for a subject; by default of a heartbeat, from now on for five minutes. */
  readonly sign: (sub: string, over?: Over) => Promise<string>;
}

export interface Over {
  readonly kid?: string;
  /** Members of the header, besides or instead of those it has. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** Claims, besides or instead of those it has; undefined takes one away. */
  readonly claims?: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly now?: number;
}

export const ISSUER = 'https://control.example';
export const AUDIENCE = 'vademecum:acme';

/** Makes a control plane with one key for each of these: its `kid`, and what it signs with. */
export async function controlPlane(keys: Readonly<Record<string, Alg>> = { one: 'EdDSA' }): Promise<Plane> {
  const pens = new Map<string, { alg: Alg; pen: CryptoKey; jwk: PublicJwk }>();
  for (const [kid, alg] of Object.entries(keys)) {
    const pair = await generateKeyPair(alg, { extractable: true });
    pens.set(kid, { alg, pen: pair.privateKey, jwk: { ...(await exportJWK(pair.publicKey)), kid } as PublicJwk });
  }
  const named = { issuer: ISSUER, audience: AUDIENCE, jwks: { keys: [...pens.values()].map((it) => it.jwk) } };
  const sign: Plane['sign'] = (
    sub,
    { kid = [...pens.keys()][0] ?? '', header = {}, claims = {}, now = Date.now() } = {},
  ) => {
    const held = pens.get(kid);
    if (!held) throw new Error(`there is no key ${kid}`);
    return new SignJWT({ ...claimsAt(sub, now), ...claims })
      .setProtectedHeader({ alg: held.alg, kid, typ: 'JWT', ...header })
      .sign(held.pen);
  };
  return { named, sign };
}

/** Claims of a control plane about a heartbeat. */
export function claimsAt(sub: string, now: number) {
  const seconds = Math.floor(now / 1000);
  return {
    ...{ iss: ISSUER, aud: AUDIENCE, sub, iat: seconds, nbf: seconds, exp: seconds + 300 },
    ...{ heartbeat_id: 'run_1', session_start: seconds - 5, wake_reason: 'issue_assigned' },
  };
}
