import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import type { TrustRoot } from '../../../../compiler/schema/source/trust-root.ts';
import { controlPlane, type Plane } from '../../../support/control-plane.ts';
import { BY, type Holder, staffed, type Staffed } from '../../../support/staffed.ts';
import { failure } from '../../failing.ts';

let place: Staffed;
let plane: Plane;

beforeEach(async () => {
  place = staffed();
  plane = await controlPlane({ one: 'EdDSA', two: 'ES256' });
});

const at = (...path: string[]) => join(place.repo.path, ...path);
const NAMED = ['--issuer', 'https://control.example', '--audience', 'vademecum:acme'];
const drafted = () => JSON.parse(readFileSync(at('draft.json'), 'utf8')) as TrustRoot;
const draft = (...more: string[]) => place.run(['trust', 'draft', ...place.trust, '--out', 'draft.json', ...more]);
const withJwks = (jwks: unknown) => {
  writeFileSync(at('jwks.json'), JSON.stringify(jwks));
  return draft('--jwks', 'jwks.json', ...NAMED);
};
const sign = (by: Holder = place.ci) =>
  place.run([
    ...['trust', 'sign', '--draft', 'draft.json', ...place.trust, '--key', by.file],
    ...['--out', 'instructions/trust/2.json'],
  ]);

describe('DESIGN §6.10 a trust root names the control plane', () => {
  test('a trust root names the control plane with its public keys, and trust show shows it', async () => {
    expect((await withJwks(plane.named.jwks)).code).toBe(0);
    const written = drafted();
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
    expect(drafted()).not.toHaveProperty('control_plane');
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
    const written = drafted();
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

/** A file with the public half of a key alone, as its holder would send it. */
function publicFile({ signer, entity }: Holder): string {
  const file = at(`${entity.replaceAll('/', '-')}.pem`);
  writeFileSync(file, signer.publicPem);
  return file;
}

describe('a new key that signs bundles', () => {
  test('a key is rotated without an edit of the draft: the new one compiles, and the old one is refused', async () => {
    const { ci, eve } = place;
    const ran = await draft(
      '--add-key',
      `bundle=${eve.file}`,
      '--retire-key',
      ci.signer.keyid,
      '--add-key',
      `root=${ci.file}`,
    );
    expect(ran.code).toBe(0);
    const { keys, roles, version } = drafted();
    expect([version, roles.bundle, roles.root.keyids]).toEqual([
      2,
      { keyids: [eve.signer.keyid], threshold: 1 },
      [ci.signer.keyid],
    ]);
    expect(keys[eve.signer.keyid]).toEqual({ public: eve.signer.publicPem });
    expect(JSON.stringify(drafted())).not.toContain('PRIVATE');
    expect((await sign(ci)).envelope().data['missing']).toEqual({ before: 0, own: 0 });
    place.repo.remove('draft.json').commit('a new key', undefined, BY.ann);
    expect(failure(await place.compile())).toEqual([4, 'SIGNING_KEY_REQUIRED']);
    expect((await place.run(['compile', ...place.trust, '--key', eve.file])).code).toBe(0);
    // a server that still has the first root follows the chain
    expect((await place.run(['verify', ...place.trust])).code).toBe(0);
  });

  test('for a while both keys may sign', async () => {
    expect((await draft('--add-key', `bundle=${place.eve.file}`)).code).toBe(0);
    expect(drafted().roles.bundle.keyids).toEqual([place.ci, place.eve].map(({ signer }) => signer.keyid));
  });

  test('a first key for freshness makes that role', async () => {
    await draft('--add-key', `freshness=${publicFile(place.eve)}`);
    expect(drafted().roles.freshness).toEqual({ keyids: [place.eve.signer.keyid], threshold: 1 });
  });
});

describe('a new key of an administrator', () => {
  test('an administrator gets another key, by its public half, and the old one is retired by its file', async () => {
    const { ann, eve } = place;
    await draft('--add-key', `${ann.entity}=${publicFile(eve)}`, '--retire-key', publicFile(ann));
    const { admins, keys } = drafted();
    expect(admins).toEqual(place.root.root.admins);
    expect(keys[eve.signer.keyid]).toEqual({ public: eve.signer.publicPem, owner: ann.entity });
    expect(keys).not.toHaveProperty(ann.signer.keyid);
  });

  test('somebody new becomes an administrator with their key', async () => {
    await draft('--add-key', `${place.eve.entity}=${place.eve.file}`);
    expect(drafted().admins).toEqual([place.ann, place.bob, place.eve].map(({ entity }) => entity));
  });
});

describe('what no draft is made of', () => {
  const pem = (kind: string) =>
    execFileSync('openssl', ['genpkey', '-algorithm', kind, ...(kind === 'EC' ? CURVE : [])], { encoding: 'utf8' });
  const CURVE = ['-pkeyopt', 'ec_paramgen_curve:P-256'];

  test.each<[string, (it: Staffed) => string[], number, string]>([
    ['the only key of a role', ({ ci }) => ['--retire-key', ci.file], 3, 'ARGUMENT_INVALID'],
    ['a key to retire that the root has not', ({ eve }) => ['--retire-key', eve.file], 3, 'ARGUMENT_INVALID'],
    ['an ID to retire that the root has not', () => ['--retire-key', 'a'.repeat(64)], 3, 'ARGUMENT_INVALID'],
    ['a missing file', () => ['--add-key', 'bundle=gone.pem'], 5, 'SOURCE_NOT_FOUND'],
    ['a folder', () => ['--add-key', 'bundle=.'], 5, 'SOURCE_NOT_FOUND'],
    ['a file without a role', ({ eve }) => ['--add-key', eve.file], 3, 'ARGUMENT_INVALID'],
    ['a role without a file', () => ['--add-key', 'bundle='], 3, 'ARGUMENT_INVALID'],
    ['no role and no person', ({ eve }) => ['--add-key', `constructor=${eve.file}`], 3, 'ARGUMENT_INVALID'],
    ['the key of somebody else', ({ ann, bob }) => ['--add-key', `${bob.entity}=${ann.file}`], 3, 'ARGUMENT_INVALID'],
    [
      'a name that compares like another',
      ({ eve }) => ['--add-key', `acme/human/a-n-n=${eve.file}`],
      3,
      'ARGUMENT_INVALID',
    ],
  ])('vade trust draft refuses %s, and writes nothing', async (_, flags, exit, code) => {
    expect(failure(await draft(...flags(place)))).toEqual([exit, code]);
    expect(existsSync(at('draft.json'))).toBe(false);
  });

  test('vade trust draft refuses a key of another kind and what is no key, and quotes neither', async () => {
    for (const text of [pem('EC'), pem('X25519'), 'secret words', '']) {
      writeFileSync(at('odd.pem'), text);
      const ran = await draft('--add-key', 'bundle=odd.pem');
      expect(failure(ran)).toEqual([3, 'ARGUMENT_INVALID']);
      const middle = text.split('\n')[1] ?? text;
      if (middle !== '') expect(ran.stdout + ran.stderr).not.toContain(middle);
    }
  });
});
