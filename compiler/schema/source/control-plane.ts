import { z } from 'zod';
import { HeartbeatId } from '../primitives.ts';
import { EntityUri, Name } from '../uri.ts';

/** Names a key of the control plane, in the set of keys and in every token that it signs. */
export const Kid = z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/);

/** 32 bytes in base64url: their last letter has two bits to spare, which are zero. */
const Bytes32 = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'write 32 bytes in base64url');

const COMMON = {
  kid: Kid,
  use: z.literal('sig').optional(),
  key_ops: z.tuple([z.literal('verify')]).optional(),
};

/** A public key, and nothing else: with a private member such as `d` it is refused. */
export const PublicJwk = z.discriminatedUnion('kty', [
  z.strictObject({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: Bytes32,
    alg: z.literal('EdDSA').optional(),
    ...COMMON,
  }),
  z.strictObject({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: Bytes32,
    y: Bytes32,
    alg: z.literal('ES256').optional(),
    ...COMMON,
  }),
]);

/** Who wakes agents, and by which keys its tokens are known (DESIGN §6.10). */
export const ControlPlane = z.strictObject({
  /** What `iss` has to be. */
  issuer: z.string().min(1).max(512),
  /** What `aud` has to name. */
  audience: z.string().min(1).max(512),
  jwks: z
    .strictObject({ keys: z.array(PublicJwk).min(1).max(16) })
    .refine(({ keys }) => new Set(keys.map((it) => it.kid)).size === keys.length, 'two keys have the same kid'),
});

/** Seconds since 1970, within what a date can hold. */
const NumericDate = z.number().min(0).max(8.64e12);

/** What a token of the control plane says; members that are not named here are nobody's business. */
export const Claims = z
  .object({
    /** An agent's id or short name, or an administrator of the trust root. */
    sub: z.union([Name, EntityUri]),
    exp: NumericDate,
    nbf: NumericDate.optional(),
    iat: NumericDate.optional(),
    heartbeat_id: HeartbeatId.optional(),
    session_start: NumericDate.optional(),
    wake_reason: z.string().min(1).max(64).nullish(),
  })
  .refine(
    ({ heartbeat_id, session_start }) => (heartbeat_id === undefined) === (session_start === undefined),
    'heartbeat_id and session_start come together',
  )
  .refine(
    ({ heartbeat_id, wake_reason }) => typeof wake_reason !== 'string' || heartbeat_id !== undefined,
    'a wake reason is that of a heartbeat',
  );

export type ControlPlane = z.infer<typeof ControlPlane>;
export type PublicJwk = z.infer<typeof PublicJwk>;
export type Claims = z.infer<typeof Claims>;
