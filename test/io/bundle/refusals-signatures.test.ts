import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import { freshnessOf, isReturnAllowed, withdrawalsOf } from '../../../compiler/io/bundle/sidecar-files.ts';
import type { Bundle, RootPredicate } from '../../../compiler/schema/bundle/bundle.ts';
import { type Garden, IN_TOTO_TYPE } from '../../../compiler/schema/bundle/garden.ts';
import { TRUST_ROOT_TYPE } from '../../../compiler/schema/source/trust-root.ts';
import { canonicalBytes, sha256 } from '../../../compiler/trust/canonical.ts';
import { peekPayload, signEnvelope, type Signer } from '../../../compiler/trust/dsse.ts';
import { compileRepository, compileToFolder, type TestTrust } from '../../support/compiled.ts';
import { reasonOf } from '../../support/refused.ts';
import { smallDeployment } from '../../support/repository.ts';
import { newSigner, person, staff } from '../../support/staff.ts';
import { copyOf, forge, readWhole, resign } from '../forging.ts';
import { NOW } from '../published.ts';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

const second = newSigner();
const trust = staff([person('ann')]);
let bundle: Bundle;
let folder: string;

function deployment(): string {
  const repo = smallDeployment();
  repo.commit();
  return repo.path;
}

beforeAll(async () => {
  ({ out: folder, bundle } = await compileToFolder(deployment(), { trust }));
});

const reason = (at: string, { root } = trust, now = NOW) => reasonOf(() => readWhole(at, root, now));

/** Puts another root in the place of a bundle's own, under the name of its digest. */
function withRoot(from: string, change: (envelope: Buffer, find: (pattern: RegExp) => string) => Buffer): string {
  return copyOf(from, (at, find) => {
    const path = find(/roots\/[^/]+\/root\.dsse\.json$/);
    const envelope = change(readFileSync(path), find);
    const revision = `1-${sha256(envelope)}`;
    writeFileSync(path, envelope);
    renameSync(dirname(path), join(at, 'roots', revision));
    writeFileSync(join(at, 'current'), `${revision}\n`);
  });
}

/** A garden whose envelope is another one. */
function enveloped(garden: Garden, type: string, signers: readonly Signer[]): Garden {
  const envelope = signEnvelope(type, peekPayload(garden.envelope, IN_TOTO_TYPE), signers);
  return { ...garden, envelope, digest: sha256(envelope) };
}

describe('DESIGN §7 an envelope with another payload type is refused', () => {
  test('a root that is signed as a trust root is refused', () => {
    const forged = withRoot(folder, (it) => signEnvelope(TRUST_ROOT_TYPE, peekPayload(it, IN_TOTO_TYPE), [trust.signer]));
    expect(reason(forged)).toBe('payload_type_wrong');
  });

  test('a garden that is signed as a trust root is refused', () => {
    const garden = (it: Garden) => enveloped(it, TRUST_ROOT_TYPE, [trust.signer]);
    expect(reason(forge(bundle, { garden, signers: [trust.signer] }))).toBe('payload_type_wrong');
  });

  test('a garden’s envelope in the place of the root is refused, though the right key signed it', () => {
    const forged = withRoot(folder, (_it, find) => readFileSync(find(/gardens\/cto\/\w+\/garden\.dsse\.json$/)));
    expect(reason(forged)).toBe('format_unknown');
  });

  test.each([
    ['freshness.dsse.json', 'payload_type_wrong'],
    ['rollback.dsse.json', 'payload_type_wrong'],
  ])('the bundle’s root is refused as %s', (name, expected) => {
    const at = copyOf(folder, (to, find) => {
      writeFileSync(join(to, name), readFileSync(find(/root\.dsse\.json$/)));
    });
    const opened = openBundle(at, { pinned: trust.root, now: NOW });
    const read = () =>
      name.startsWith('freshness') ? freshnessOf(opened, NOW) : isReturnAllowed(opened, opened.trust, NOW);
    expect(reasonOf(read)).toBe(expected);
  });

  test('the bundle’s root as a record of withdrawn.dsse.json is skipped', () => {
    const at = copyOf(folder, (to, find) => {
      const root = JSON.parse(readFileSync(find(/root\.dsse\.json$/), 'utf8')) as object;
      writeFileSync(join(to, 'withdrawn.dsse.json'), canonicalBytes({ format: 1, envelopes: [root] }));
    });
    const { keys, skipped } = withdrawalsOf(openBundle(at, { pinned: trust.root, now: NOW }));
    expect([keys.size, skipped.map((it) => it.reason)]).toEqual([0, ['payload_type_wrong']]);
  });
});

describe('DESIGN §7 a threshold of two', () => {
  let pair: TestTrust;
  let made: Bundle;

  beforeAll(async () => {
    const one = staff([]).signer;
    const keys = Object.fromEntries([one, second].map((it) => [it.keyid, { public: it.publicPem }]));
    const bundleRole = { keyids: [one.keyid, second.keyid], threshold: 2 };
    const found = staff([]);
    const { root } = found.root;
    const over = { keys: { ...root.keys, ...keys }, roles: { ...root.roles, bundle: bundleRole } };
    pair = { ...found, signer: one, root: { root: { ...root, ...over }, envelope: Buffer.alloc(0) } };
    pair = { ...pair, root: { root: pair.root.root, envelope: sealedBy(pair, found.signer) } };
    const compiled = await compileRepository(deployment(), { trust: pair, over: { signers: [one, second] } });
    made = compiled.bundle!;
  });

  const sealedBy = ({ root: { root } }: TestTrust, signer: Signer) =>
    signEnvelope(TRUST_ROOT_TYPE, canonicalBytes(root), [signer]);

  test('a threshold of two is met by two keys', () => {
    expect(reason(forge(made, { signers: [pair.signer, second] }), pair)).toBe('believed');
  });

  test.each([
    ['the same signature twice', () => [pair.signer, pair.signer]],
    ['one signature', () => [second]],
    ['a signature and that of a stranger', () => [second, newSigner()]],
  ])('a threshold of two is not met by %s under the root, or under a garden', (_, signers) => {
    expect(reason(forge(made, { signers: signers() }), pair)).toBe('signatures_missing');
    const garden = (it: Garden) => enveloped(it, IN_TOTO_TYPE, signers());
    expect(reason(forge(made, { garden, signers: [pair.signer, second] }), pair)).toBe('signatures_missing');
  });
});

describe('DESIGN §7 a statement belongs to one deployment and one garden', () => {
  const signers = [trust.signer];
  const over = (predicate: object) => (it: Garden) => (it.name === 'cto' ? resign(it, signers, { predicate }) : it);

  test.each([
    ['deployment', { deployment: 'ajax' }],
    ['agent', { garden: 'ops' }],
    ['shared garden', { shared: '0'.repeat(64) }],
  ])('a garden of another %s is refused', (_, predicate) => {
    expect(reason(forge(bundle, { garden: over(predicate), signers }))).toBe('statement_misplaced');
  });

  test('a garden under the name of another is refused', () => {
    const shared = bundle.built.find((it) => it.name === 'shared')!;
    const garden = (it: Garden) => (it.name === 'cto' ? { ...shared, name: 'cto' } : it);
    expect(reason(forge(bundle, { garden, signers }))).toBe('statement_misplaced');
  });

  test('a bundle of another deployment is refused by its root alone, before any garden is read', () => {
    const root = (it: RootPredicate) => ({ ...it, deployment: 'ajax' });
    const folder = forge(bundle, { root, signers });
    expect(reasonOf(() => openBundle(folder, { pinned: trust.root, now: NOW }))).toBe('statement_misplaced');
  });

  test('a root and a garden that an unknown key signed are refused', () => {
    expect(reason(forge(bundle, { signers: [newSigner()] }))).toBe('key_unknown');
    const garden = (it: Garden) => resign(it, [newSigner()]);
    expect(reason(forge(bundle, { garden, signers }))).toBe('key_unknown');
  });
});
