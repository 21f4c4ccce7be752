import { jwtVerify, createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet } from 'jose';
import { describe, expect, test } from 'vitest';
import { ControlPlane, type Claims } from '../../compiler/schema/source/control-plane.ts';
import { TRUST_ROOT_TYPE, type TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { developmentToken, withDevelopmentPlane } from '../../compiler/trust/development-plane.ts';
import { openEnvelope, signerFromPem } from '../../compiler/trust/dsse.ts';
import { foundRoot, newSigningKey } from '../../compiler/trust/root-chain.ts';
import { tokenVerifier } from '../../server/auth/jwt.ts';
import { reasonOf } from '../support/refused.ts';

const [ours, others] = [1, 2].map(() => signerFromPem(newSigningKey())) as [Signer, Signer];
type Signer = ReturnType<typeof signerFromPem>;

const rootOf = (signer: Signer, development?: true): TrustRoot =>
  foundRoot(
    { root: signer, bundle: signer },
    { deployment: 'development', admins: [], ...(development && { development }) },
  ).root;
const DEVELOPMENT = rootOf(ours, true);
const PRODUCTION = rootOf(ours);

const NOW = Date.parse('2026-11-23T12:00:00Z');
const SECONDS = NOW / 1000;
const CLAIMS: Claims = {
  ...{ sub: 'cto', iat: SECONDS, exp: SECONDS + 60 },
  ...{ heartbeat_id: 'dev_1', session_start: SECONDS, wake_reason: 'manual' },
};
const TOKEN = developmentToken(ours, DEVELOPMENT, CLAIMS);

/** Verification of a token by a server under a root. */
const verified = (root: TrustRoot, token: string, at = NOW) =>
  tokenVerifier({ trust: withDevelopmentPlane(() => root), now: () => at })(token);

describe('a control plane for development', () => {
  test('its token wakes the agent that it names, under the development root of its key', async () => {
    expect(await verified(DEVELOPMENT, TOKEN)).toEqual({
      holder: { kind: 'agent', agent: 'cto' },
      subject: 'cto',
      heartbeat: { heartbeat_id: 'dev_1', session_start: NOW, wake_reason: 'manual' },
    });
  });

  test('its key set is that of the bundle keys, as a trust root could name it', async () => {
    const { control_plane } = withDevelopmentPlane(() => DEVELOPMENT)();
    const plane = ControlPlane.parse(control_plane);
    expect(plane.jwks.keys.map(({ kid }) => kid)).toEqual(DEVELOPMENT.roles.bundle.keyids);
    expect(JSON.stringify(plane)).not.toContain('"d"');
    const { payload } = await jwtVerify(TOKEN, createLocalJWKSet(plane.jwks as JSONWebKeySet), {
      ...{ issuer: plane.issuer, audience: plane.audience, currentDate: new Date(NOW) },
    });
    expect(payload).toEqual({ ...CLAIMS, iss: plane.issuer, aud: plane.audience });
  });

  test('the same root stays the same object, so that verified tokens are cached', () => {
    const trust = withDevelopmentPlane(() => DEVELOPMENT);
    expect(trust()).toBe(trust());
  });

  test('a new root has the plane of its own keys', () => {
    let root = DEVELOPMENT;
    const trust = withDevelopmentPlane(() => root);
    const first = trust();
    root = rootOf(others, true);
    expect(trust().control_plane?.jwks.keys.map(({ kid }) => kid)).toEqual([others.keyid]);
    expect(first.control_plane?.jwks.keys.map(({ kid }) => kid)).toEqual([ours.keyid]);
  });
});

describe('what an attacker may try with a development token', () => {
  test('a production root has no plane, even if the same key signs its bundles', async () => {
    expect(withDevelopmentPlane(() => PRODUCTION)()).toBe(PRODUCTION);
    expect(await verified(PRODUCTION, TOKEN)).toBeNull();
  });

  test('a root that names a control plane keeps it, and takes no development token', async () => {
    const { control_plane } = withDevelopmentPlane(() => rootOf(others, true))();
    const root = { ...DEVELOPMENT, control_plane: { ...control_plane!, issuer: 'https://control.example' } };
    expect(withDevelopmentPlane(() => root)()).toBe(root);
    expect(await verified(root, TOKEN)).toBeNull();
  });

  test.each<[string, string]>([
    ['of another folder’s key', developmentToken(others, DEVELOPMENT, CLAIMS)],
    ['of another key that takes our key’s ID', developmentToken({ ...others, keyid: ours.keyid }, DEVELOPMENT, CLAIMS)],
    ['for another deployment', developmentToken(ours, { ...DEVELOPMENT, deployment: 'acme' }, CLAIMS)],
    ['with another subject under the same signature', withClaims(TOKEN, { ...CLAIMS, sub: 'cfo' })],
    ['without a signature', TOKEN.slice(0, TOKEN.lastIndexOf('.') + 1)],
    ['for longer than a day', developmentToken(ours, DEVELOPMENT, { ...CLAIMS, exp: SECONDS + 86_401 })],
    ['of an hour ahead', developmentToken(ours, DEVELOPMENT, { ...CLAIMS, iat: SECONDS + 3600, exp: SECONDS + 7200 })],
  ])('a token %s is refused', async (_, token) => {
    expect(await verified(DEVELOPMENT, token)).toBeNull();
  });

  test('a token ends at its expiry, with half a minute for clocks that differ', async () => {
    expect(await verified(DEVELOPMENT, TOKEN, NOW + 60_000 + 29_000)).not.toBeNull();
    expect(await verified(DEVELOPMENT, TOKEN, NOW + 60_000 + 31_000)).toBeNull();
  });

  test('claims cannot replace issuer and audience', () => {
    const claims = { ...CLAIMS, iss: 'https://control.example', aud: 'vademecum:acme' };
    const [, payload = ''] = developmentToken(ours, DEVELOPMENT, claims).split('.');
    const { control_plane } = withDevelopmentPlane(() => DEVELOPMENT)();
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'))).toMatchObject({
      iss: control_plane?.issuer,
      aud: control_plane?.audience,
    });
  });

  test('the header names its algorithm and key, and nothing else', () => {
    expect(decodeProtectedHeader(TOKEN)).toEqual({ alg: 'EdDSA', kid: ours.keyid, typ: 'JWT' });
  });

  test('the signature of a token proves no envelope', () => {
    const [header = '', payload = '', signature = ''] = TOKEN.split('.');
    const sig = Buffer.from(signature, 'base64url').toString('base64');
    const body = Buffer.from(`${header}.${payload}`).toString('base64');
    const envelope = { payload: body, payloadType: TRUST_ROOT_TYPE, signatures: [{ keyid: ours.keyid, sig }] };
    const open = () =>
      openEnvelope(Buffer.from(JSON.stringify(envelope)), TRUST_ROOT_TYPE, DEVELOPMENT, DEVELOPMENT.roles.bundle, null);
    expect(reasonOf(open)).toBe('signatures_missing');
  });
});

/** The token with other claims, and its old signature. */
function withClaims(token: string, claims: Claims): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const old = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as object;
  return [header, Buffer.from(JSON.stringify({ ...old, ...claims })).toString('base64url'), signature].join('.');
}
