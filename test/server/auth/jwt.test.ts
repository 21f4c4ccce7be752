import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { base64url, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TrustRoot } from '../../../compiler/schema/source/trust-root.ts';
import { tokenVerifier } from '../../../server/auth/jwt.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { AUDIENCE, claimsAt, controlPlane, ISSUER, type Over, type Plane } from '../../support/control-plane.ts';
import { person, staff } from '../../support/staff.ts';

const NOW = Date.parse('2026-05-04T12:00:00Z');
const SECONDS = NOW / 1000;
const ALL_LIMITS = { scopes: ['instructions'], namespaces: ['tasks'], peers: [] };
const jane = person('jane');
let plane: Plane;
let root: TrustRoot;

beforeAll(async () => {
  plane = await controlPlane({ one: 'EdDSA', two: 'ES256', four: 'EdDSA' });
  root = rootOf(plane);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const rootOf = ({ named }: Plane, over: Partial<TrustRoot> = {}) =>
  staff([jane], { control_plane: named, ...over }).root.root;
const sign = (over: Over = {}, sub = 'cto') => plane.sign(sub, { now: NOW, ...over });
/** The result of a new verifier for a token, at a given time. */
const verifyAt = (token: string, at = NOW) => tokenVerifier({ trust: () => root, now: () => at })(token);
const verified = async (over: Over, sub?: string) => verifyAt(await sign(over, sub));
/** A token of exactly this length; one key or the other gives every length. */
async function sized(length: number): Promise<string> {
  for (let more = 2700; more < 3100; more++) {
    for (const kid of ['one', 'four']) {
      const token = await sign({ kid, claims: { more: 'x'.repeat(more) } });
      if (token.length === length) return token;
    }
  }
  throw new Error(`no token has ${length} characters`);
}
const part = (value: unknown) => base64url.encode(JSON.stringify(value));
const signatures = () => vi.spyOn(crypto.subtle, 'verify');

describe('DESIGN §6.10 a token of the control plane', () => {
  test.each(['one', 'two'])(
    'a token signed with key %s names the agent, the heartbeat and the wake reason',
    async (kid) => {
      expect(await verified({ kid })).toEqual({
        holder: { kind: 'agent', agent: 'cto' },
        subject: 'cto',
        heartbeat: { heartbeat_id: 'run_1', session_start: NOW - 5000, wake_reason: 'issue_assigned' },
      });
    },
  );

  test.each([
    ['a scope', { scope: 'openid continuity:read' }, { scopes: ['continuity:read'] }],
    ['two scopes', { scope: 'continuity:write continuity:read' }, { scopes: ['continuity:read', 'continuity:write'] }],
    ['a scope of another service alone', { scope: 'openid' }, { scopes: [] }],
    ['no word', { scope: '' }, { scopes: [] }],
    ['a part of a word', { scope: 'instructions:all' }, { scopes: [] }],
    ['namespaces', { namespaces: ['tasks', 'attic'] }, { namespaces: ['tasks'] }],
    ['no namespaces', { namespaces: [] }, { namespaces: [] }],
    ['peers', { peers: ['cto2'] }, { peers: ['cto2'] }],
    ['all three', { scope: 'instructions', namespaces: ['tasks'], peers: [] }, ALL_LIMITS],
    ['nothing', {}, undefined],
  ])('a token with %s is limited to what a key with them is', async (_, claims, permits) => {
    expect((await verified({ claims }))?.permits).toEqual(permits);
  });

  test.each([
    ['a scope that is a list', { scope: ['instructions'] }],
    ['a scope of 2,001 characters', { scope: 'x'.repeat(2001) }],
    ['namespaces that are a text', { namespaces: 'tasks' }],
    ['65 peers', { peers: Array.from({ length: 65 }, (_, i) => `${i}`) }],
  ])('a token with %s is invalid', async (_, claims) => {
    expect(await verified({ claims })).toBeNull();
  });

  test.each<[reason: string, over: Over, sub?: string]>([
    ['heartbeat_id and session_start must be given together', { claims: { session_start: undefined } }],
    [
      'heartbeat_id and session_start must be given together',
      { claims: { heartbeat_id: undefined, wake_reason: undefined } },
    ],
    ['its claim heartbeat_id is missing or wrong', { claims: { heartbeat_id: 'run/1' } }],
    ['its claim scope is missing or wrong', { claims: { scope: ['secret'] } }],
    ['its claim aud is missing or wrong', { claims: { aud: 'secret' } }],
    ['its claim exp is missing or wrong', { claims: { exp: undefined } }],
    ['it has expired', { claims: { exp: SECONDS - 60 } }],
    ['its iat is in the future', { claims: { iat: SECONDS + 60 } }],
    ['it is valid for more than a day', { claims: { exp: SECONDS + 90_000 } }],
    ['its sub is no administrator of the trust root', {}, 'acme/human/eve'],
    ['its header is not alg, kid and typ as they may be', { header: { secret: 'x' } }],
  ])('the operator learns of a token that %s, and no word of it', async (reason, over, sub) => {
    const told: string[] = [];
    const verify = tokenVerifier({ trust: () => root, now: () => NOW });
    expect(await verify(await sign(over, sub), (why) => told.push(why))).toBeNull();
    expect(told).toEqual([reason]);
  });

  test('a forged signature, an unknown key, noise and a missing control plane differ for the operator alone', async () => {
    const token = await sign();
    const told: string[] = [];
    const tell = (why: string) => told.push(why);
    const verify = tokenVerifier({ trust: () => root, now: () => NOW });
    await verify(`${token.slice(0, -8)}AAAAAAAA`, tell);
    await verify(token.replace(/^[^.]+/, part({ alg: 'EdDSA', kid: 'none' })), tell);
    await verify(`${part('x')}.${part('secret')}.x`, tell);
    await verify('x'.repeat(5000), tell);
    const { control_plane: _, ...silent } = root;
    await tokenVerifier({ trust: () => silent, now: () => NOW })(token, tell);
    expect(told).toEqual([
      'its signature does not verify',
      'the trust root has no key of its kid',
      'it cannot be read',
      'it is too long',
      'the trust root names no control plane',
    ]);
  });

  test('a token may name an agent by its UUID, and have no heartbeat', async () => {
    const claims = { heartbeat_id: undefined, session_start: undefined, wake_reason: undefined };
    const id = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
    expect(await verified({ claims }, id)).toEqual({
      holder: { kind: 'agent', agent: id },
      subject: id,
      heartbeat: null,
    });
  });

  test.each([[undefined], [null]])('a token may have the wake reason %j, which is none', async (wake_reason) => {
    expect((await verified({ claims: { wake_reason } }))?.heartbeat?.wake_reason).toBeNull();
  });

  test('a token identifies an administrator only if the trust root names that administrator', async () => {
    expect((await verified({}, 'acme/human/jane'))?.holder).toEqual({ kind: 'admin', entity: 'acme/human/jane' });
    for (const sub of ['acme/human/eve', 'acme/agent/cto', 'other/human/jane', 'acme/human/jan']) {
      expect([sub, await verified({}, sub)]).toEqual([sub, null]);
    }
  });

  test.each([
    ['several audiences, including this one', { claims: { aud: ['elsewhere', AUDIENCE] } }],
    ['the type of an access token', { header: { typ: 'at+jwt' } }],
    ['other claims', { claims: { azp: 'x', jti: 'y' } }],
    ['no nbf and no iat', { claims: { nbf: undefined, iat: undefined } }],
  ])('a token may have %s', async (_, over) => {
    expect(await verified(over)).not.toBeNull();
  });
});

describe('invalid tokens', () => {
  test.each<[string, Over]>([
    ['of another issuer', { claims: { iss: `${ISSUER}/` } }],
    ['of no issuer', { claims: { iss: undefined } }],
    ['for another audience', { claims: { aud: 'vademecum' } }],
    ['for no audience', { claims: { aud: undefined } }],
    ['whose expiry is not a number', { claims: { exp: String(SECONDS + 60) } }],
    [
      'that is valid for more than a day, without iat,',
      { claims: { exp: SECONDS + 864_000, iat: undefined, nbf: undefined } },
    ],
    ['without a subject', { claims: { sub: undefined } }],
    ['with an empty subject', { claims: { sub: '' } }],
    ['with two subjects', { claims: { sub: ['cto', 'ct'] } }],
    ['whose subject is not a name', { claims: { sub: 'CTO' } }],
    ['with a wake reason but no heartbeat', { claims: { heartbeat_id: undefined, session_start: undefined } }],
    ['with a malformed heartbeat id', { claims: { heartbeat_id: 'a b' } }],
    ['with a session start out of range', { claims: { session_start: 1e300 } }],
    ['with a malformed wake reason', { claims: { wake_reason: { is: 'manual' } } }],
    ['without kid', { header: { kid: undefined } }],
    ['with an unknown kid', { header: { kid: 'three' } }],
    ['with the other key’s kid', { kid: 'one', header: { kid: 'two' } }],
    ['with a kid that is a path', { header: { kid: '../one' } }],
    ['with a key URL in its header', { header: { jku: 'https://evil.example/jwks.json' } }],
    ['with a certificate URL', { header: { x5u: 'https://evil.example/cert' } }],
    ['with a certificate', { header: { x5c: ['MIIB'] } }],
    ['of another type', { header: { typ: 'dpop+jwt' } }],
    ['with a content type', { header: { cty: 'JWT' } }],
  ])('a token %s is invalid', async (_, over) => {
    expect(await verified(over)).toBeNull();
  });

  test('a token signed with a key from its own header is invalid', async () => {
    const pair = await generateKeyPair('EdDSA', { extractable: true });
    const jwk = await exportJWK(pair.publicKey);
    for (const header of [{ jwk }, { jwk, kid: 'one' }, { kid: 'one' }]) {
      const forged = await new SignJWT(claimsAt('cto', NOW))
        .setProtectedHeader({ alg: 'EdDSA', ...header })
        .sign(pair.privateKey);
      expect(await verifyAt(forged)).toBeNull();
    }
  });

  test('a token without a signature, or with a MAC made from the public key, is invalid', async () => {
    const [, payload = '', signature = ''] = (await sign()).split('.');
    const none = `${part({ alg: 'none', kid: 'one' })}.${payload}.`;
    const body = `${part({ alg: 'HS256', kid: 'one' })}.${payload}`;
    const known = JSON.stringify(plane.named.jwks.keys[0]);
    const hmac = `${body}.${createHmac('sha256', known).update(body).digest('base64url')}`;
    const other = `${part({ alg: 'ES256', kid: 'one' })}.${payload}.${signature}`;
    for (const forged of [none, `${none}${signature}`, hmac, other]) expect(await verifyAt(forged)).toBeNull();
  });

  test('a token that is too long is invalid, and its signature is not verified', async () => {
    const verify = signatures();
    const [longest, tooLong] = [await sized(4096), await sized(4097)];
    expect([(await verifyAt(longest))?.subject, verify.mock.calls.length]).toEqual(['cto', 1]);
    expect([await verifyAt(tooLong), verify.mock.calls.length]).toEqual([null, 1]);
  });

  test('a token with one changed character is invalid, and so is any other text', async () => {
    const token = await sign();
    const signed = token.lastIndexOf('.') + 80;
    const letters = fc.constantFrom('a', 'Z', '0', '-', '_', '.');
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: signed }), letters, async (at, letter) => {
        fc.pre(token[at] !== letter);
        expect(await verifyAt(`${token.slice(0, at)}${letter}${token.slice(at + 1)}`)).toBeNull();
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), async (text) => {
        expect(await verifyAt(text)).toBeNull();
      }),
    );
  });
});
