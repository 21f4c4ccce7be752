import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { base64url, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { TrustRoot } from '../../../compiler/schema/source/trust-root.ts';
import { CLOCK_SKEW_S, MAX_LIFETIME_S, MAX_TOKEN_CHARACTERS, tokenVerifier } from '../../../server/auth/jwt.ts';
import { AUDIENCE, claimsAt, controlPlane, ISSUER, type Over, type Plane } from '../../support/controlplane.ts';
import { person, staff } from '../../support/staff.ts';

const NOW = Date.parse('2026-05-04T12:00:00Z');
const SECONDS = NOW / 1000;
const jane = person('jane');
let plane: Plane;
let root: TrustRoot;

beforeAll(async () => {
  plane = await controlPlane({ one: 'EdDSA', two: 'ES256' });
  root = rootOf(plane);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const rootOf = ({ named }: Plane, over: Partial<TrustRoot> = {}) =>
  staff([jane], { control_plane: named, ...over }).root.root;
const sign = (over: Over = {}, sub = 'cto') => plane.sign(sub, { now: NOW, ...over });
/** What a fresh server, at a moment of its own, makes of a token. */
const judge = (token: string, at = NOW) => tokenVerifier({ trust: () => root, now: () => at })(token);
const judged = async (over: Over, sub?: string) => judge(await sign(over, sub));
const part = (value: unknown) => base64url.encode(JSON.stringify(value));
const signatures = () => vi.spyOn(crypto.subtle, 'verify');

describe('DESIGN §6.10 a token of the control plane', () => {
  test.each(['one', 'two'])('says who is woken, in which heartbeat, and why: signed with key %s', async (kid) => {
    expect(await judged({ kid })).toEqual({
      holder: { kind: 'agent', agent: 'cto' },
      subject: 'cto',
      heartbeat: { heartbeat_id: 'run_1', session_start: NOW - 5000, wake_reason: 'issue_assigned' },
    });
  });

  test('may name an agent by its UUID, and say nothing of any heartbeat', async () => {
    const claims = { heartbeat_id: undefined, session_start: undefined, wake_reason: undefined };
    const id = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
    expect(await judged({ claims }, id)).toEqual({
      holder: { kind: 'agent', agent: id },
      subject: id,
      heartbeat: null,
    });
  });

  test.each([[undefined], [null]])('may have no wake reason: %j', async (wake_reason) => {
    expect((await judged({ claims: { wake_reason } }))?.heartbeat?.wake_reason).toBeNull();
  });

  test('is an administrator’s only where the trust root names them', async () => {
    expect((await judged({}, 'acme/human/jane'))?.holder).toEqual({ kind: 'admin', entity: 'acme/human/jane' });
    for (const sub of ['acme/human/eve', 'acme/agent/cto', 'other/human/jane', 'acme/human/jan']) {
      expect([sub, await judged({}, sub)]).toEqual([sub, null]);
    }
  });

  test.each([
    ['several audiences, this one among them', { claims: { aud: ['elsewhere', AUDIENCE] } }],
    ['the type of an access token', { header: { typ: 'at+jwt' } }],
    ['claims of somebody else’s', { claims: { scope: 'x', jti: 'y' } }],
    ['no nbf and no iat', { claims: { nbf: undefined, iat: undefined } }],
  ])('may have %s', async (_, over) => {
    expect(await judged(over)).not.toBeNull();
  });
});

describe('a token that proves nothing', () => {
  test.each<[string, Over]>([
    ['of another issuer', { claims: { iss: `${ISSUER}/` } }],
    ['of no issuer', { claims: { iss: undefined } }],
    ['for another audience', { claims: { aud: 'vademecum' } }],
    ['for no audience', { claims: { aud: undefined } }],
    ['that never ends', { claims: { exp: undefined } }],
    ['that ends at no number', { claims: { exp: String(SECONDS + 60) } }],
    ['that is believed for more than a day', { claims: { exp: SECONDS + MAX_LIFETIME_S + 1 } }],
    ['for more than a day without iat', { claims: { exp: SECONDS + 864_000, iat: undefined, nbf: undefined } }],
    ['of the future', { claims: { iat: SECONDS + CLOCK_SKEW_S + 1, nbf: undefined } }],
    ['of nobody', { claims: { sub: undefined } }],
    ['of an empty subject', { claims: { sub: '' } }],
    ['of two subjects', { claims: { sub: ['cto', 'ct'] } }],
    ['of a subject that is no name', { claims: { sub: 'CTO' } }],
    ['with a wake reason of no heartbeat', { claims: { heartbeat_id: undefined, session_start: undefined } }],
    ['with half a heartbeat', { claims: { session_start: undefined } }],
    ['with a heartbeat that is no id', { claims: { heartbeat_id: 'a b' } }],
    ['with a session beyond all dates', { claims: { session_start: 1e300 } }],
    ['with a wake reason that is none', { claims: { wake_reason: { is: 'manual' } } }],
    ['without kid', { header: { kid: undefined } }],
    ['with an unknown kid', { header: { kid: 'three' } }],
    ['with the other key’s kid', { kid: 'one', header: { kid: 'two' } }],
    ['with a kid that is a path', { header: { kid: '../one' } }],
    ['with a header of more than that', { header: { jku: 'https://evil.example/jwks.json' } }],
    ['with a certificate’s address', { header: { x5u: 'https://evil.example/cert' } }],
    ['with a certificate', { header: { x5c: ['MIIB'] } }],
    ['of another type', { header: { typ: 'dpop+jwt' } }],
    ['with a content type', { header: { cty: 'JWT' } }],
  ])('%s', async (_, over) => {
    expect(await judged(over)).toBeNull();
  });

  test('that brings its own key along', async () => {
    const pair = await generateKeyPair('EdDSA', { extractable: true });
    const jwk = await exportJWK(pair.publicKey);
    for (const header of [{ jwk }, { jwk, kid: 'one' }, { kid: 'one' }]) {
      const forged = await new SignJWT(claimsAt('cto', NOW))
        .setProtectedHeader({ alg: 'EdDSA', ...header })
        .sign(pair.privateKey);
      expect(await judge(forged)).toBeNull();
    }
  });

  test('that nobody signed, or that is MACed with what everybody knows', async () => {
    const [, payload = '', signature = ''] = (await sign()).split('.');
    const none = `${part({ alg: 'none', kid: 'one' })}.${payload}.`;
    const body = `${part({ alg: 'HS256', kid: 'one' })}.${payload}`;
    const known = JSON.stringify(plane.named.jwks.keys[0]);
    const hmac = `${body}.${createHmac('sha256', known).update(body).digest('base64url')}`;
    const other = `${part({ alg: 'ES256', kid: 'one' })}.${payload}.${signature}`;
    for (const forged of [none, `${none}${signature}`, hmac, other]) expect(await judge(forged)).toBeNull();
  });

  test('that is longer than any token, without a look at its signature', async () => {
    const verify = signatures();
    const long = await sign({ claims: { more: 'x'.repeat(MAX_TOKEN_CHARACTERS) } });
    expect([await judge(long), verify.mock.calls.length]).toEqual([null, 0]);
  });

  test('that has one letter changed, or is anything at all', async () => {
    const token = await sign();
    const signed = token.lastIndexOf('.') + 80;
    const letters = fc.constantFrom('a', 'Z', '0', '-', '_', '.');
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: signed }), letters, async (at, letter) => {
        fc.pre(token[at] !== letter);
        expect(await judge(`${token.slice(0, at)}${letter}${token.slice(at + 1)}`)).toBeNull();
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        expect(await judge(text)).toBeNull();
      }),
    );
  });

  test('where the trust root names no control plane', async () => {
    const { root: silent } = staff([jane]).root;
    expect(await tokenVerifier({ trust: () => silent, now: () => NOW })(await sign())).toBeNull();
  });
});
