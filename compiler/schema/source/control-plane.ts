import { z } from 'zod';
import { HeartbeatId } from '../primitives.ts';
import { EntityUri, Name } from '../uri.ts';
import { Peers } from './key-file.ts';

/** The id of a key of the control plane, in the key set and in every token that it signs. */
export const Kid = z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/);

/** 32 bytes in base64url: the last letter has two unused bits, which are zero. */
const Bytes32 = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'write 32 bytes in base64url');

const COMMON = {
  kid: Kid,
  use: z.literal('sig').optional(),
  key_ops: z.tuple([z.literal('verify')]).optional(),
};

/** A public key; a key with a private member such as `d` is refused. */
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

/** The control plane, which wakes agents, and the keys that verify its tokens (DESIGN §6.10). */
export const ControlPlane = z.strictObject({
  /** The required `iss`. */
  issuer: z.string().min(1).max(512),
  /** The value that `aud` has to contain. */
  audience: z.string().min(1).max(512),
  jwks: z
    .strictObject({ keys: z.array(PublicJwk).min(1).max(16) })
    .refine(({ keys }) => new Set(keys.map((it) => it.kid)).size === keys.length, 'two keys have the same kid'),
});

/** Seconds since 1970, within the range of a date. */
const NumericDate = z.number().min(0).max(8.64e12);

/** The claims of a token of the control plane; other members are ignored. */
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
    /**
     * Limits of the token, as a key can have them: scopes separated by spaces (RFC 8693 §4.2). Scopes of other services
     * grant nothing here.
     */
    scope: z.string().max(2000).optional(),
    namespaces: z.array(z.string().max(100)).max(64).optional(),
    peers: Peers.optional(),
  })
  .refine(
    ({ heartbeat_id, session_start }) => (heartbeat_id === undefined) === (session_start === undefined),
    'heartbeat_id and session_start must be given together',
  )
  .refine(
    ({ heartbeat_id, wake_reason }) => typeof wake_reason !== 'string' || heartbeat_id !== undefined,
    'a wake reason requires a heartbeat_id',
  );

export type ControlPlane = z.infer<typeof ControlPlane>;
export type PublicJwk = z.infer<typeof PublicJwk>;
export type Claims = z.infer<typeof Claims>;
