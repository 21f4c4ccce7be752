import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import type { TrustRoot } from '../../../../compiler/schema/source/trust-root.ts';
import { controlPlane, type Plane } from '../../../support/control-plane.ts';
import { staffed, type Staffed } from '../../../support/staffed.ts';
import { failure } from '../../failing.ts';

let place: Staffed;
let plane: Plane;

beforeEach(async () => {
  place = staffed();
  plane = await controlPlane({ one: 'EdDSA', two: 'ES256' });
});

const at = (...path: string[]) => join(place.repo.path, ...path);
const NAMED = ['--issuer', 'https://control.example', '--audience', 'vademecum:acme'];
const draft = (...more: string[]) => place.run(['trust', 'draft', ...place.trust, '--out', 'draft.json', ...more]);
const withJwks = (jwks: unknown) => {
  writeFileSync(at('jwks.json'), JSON.stringify(jwks));
  return draft('--jwks', 'jwks.json', ...NAMED);
};
const sign = () =>
  place.run([
    ...['trust', 'sign', '--draft', 'draft.json', ...place.trust, '--key', place.ci.file],
    ...['--out', 'instructions/trust/2.json'],
  ]);

describe('DESIGN §6.10 a trust root names the control plane', () => {
  test('a trust root names the control plane with its public keys, and trust show shows it', async () => {
    expect((await withJwks(plane.named.jwks)).code).toBe(0);
    const written = JSON.parse(readFileSync(at('draft.json'), 'utf8')) as TrustRoot;
    expect(written.control_plane).toEqual(plane.named);
    writeFileSync(at('draft.json'), JSON.stringify({ ...written, supervisors: { cto: ['ceo'] } }));
    expect((await sign()).code).toBe(0);
    const shown = (await place.run(['trust', 'show', ...place.trust])).envelope().data;
    const { issuer, audience } = plane.named;
    expect(shown).toMatchObject({
      supervisors: { cto: ['ceo'] },
      control_plane: { issuer, audience, kids: ['one', 'two'] },
    });
  });

  test('a draft without a control plane has none', async () => {
    expect((await draft()).code).toBe(0);
    expect(JSON.parse(readFileSync(at('draft.json'), 'utf8'))).not.toHaveProperty('control_plane');
  });

  test.each([
    ['a missing file', ['--jwks', 'gone.json', ...NAMED], 5, 'SOURCE_NOT_FOUND'],
    ['keys without issuer and audience', ['--jwks', 'jwks.json'], 3, 'ARGUMENT_INVALID'],
    ['an issuer without keys', NAMED, 3, 'ARGUMENT_INVALID'],
  ] as const)('vade trust draft refuses %s', async (_, args, exit, code) => {
    writeFileSync(at('jwks.json'), JSON.stringify(plane.named.jwks));
    const [exited, reported] = failure(await draft(...args));
    expect([exited, reported]).toEqual([exit, code]);
  });

  test('vade trust draft refuses a private key, and never prints it', async () => {
    const pair = await generateKeyPair('EdDSA', { extractable: true });
    const jwk = { ...(await exportJWK(pair.privateKey)), kid: 'one' };
    const ran = await withJwks({ keys: [jwk] });
    expect(failure(ran)).toEqual([3, 'ARGUMENT_INVALID']);
    expect(ran.stdout + ran.stderr).not.toContain(jwk.d);
    expect(existsSync(at('draft.json'))).toBe(false);
  });

  test('vade trust draft refuses every other invalid public key', async () => {
    const [one, two] = plane.named.jwks.keys;
    const many = Array.from({ length: 17 }, (_, i) => ({ ...one, kid: `k${i}` }));
    const sets = [
      ...[[], {}, 'keys', { keys: [] }, { keys: many }, { keys: [one, { ...two, kid: 'one' }] }],
      ...[
        { ...one, kid: undefined },
        { ...one, alg: 'HS256' },
        { ...one, use: 'enc' },
        { ...one, x: 'AA' },
      ].map((key) => ({
        keys: [key],
      })),
      ...[
        { ...two, y: one?.x },
        { kty: 'oct', k: 'AAAA', kid: 'one' },
        { kty: 'RSA', n: 'AQ', e: 'AQAB', kid: 'one' },
      ].map((key) => ({ keys: [key] })),
    ];
    for (const jwks of sets) expect([jwks, ...failure(await withJwks(jwks))]).toEqual([jwks, 3, 'ARGUMENT_INVALID']);
  });

  test('vade trust sign refuses invalid keys of the control plane that were edited into a draft', async () => {
    await withJwks(plane.named.jwks);
    const written = JSON.parse(readFileSync(at('draft.json'), 'utf8')) as TrustRoot;
    const [one, two] = plane.named.jwks.keys;
    for (const key of [
      { ...one, d: 'A'.repeat(43) },
      { ...two, y: one?.x },
    ]) {
      const control_plane = { ...plane.named, jwks: { keys: [key] } };
      writeFileSync(at('draft.json'), JSON.stringify({ ...written, control_plane }));
      expect(failure(await sign())).toEqual([3, 'ARGUMENT_INVALID']);
    }
  });
});
