import { ROLLBACK } from '../../../compiler/io/bundle/sidecar-files.ts';
import { verifyBundle } from '../../../compiler/io/bundle/verify-bundle.ts';
import type { Signer } from '../../../compiler/trust/dsse.ts';
import { signRollback } from '../../../compiler/trust/rollback.ts';
import type { SignedRoot } from '../../../compiler/trust/root-chain.ts';
import { compileToFolder, type TestTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { laterReasonOf, reasonOf } from '../../support/refused.ts';
import { smallDeployment, unitFile } from '../../support/repository.ts';
import { newSigner, nextRoot, person, staff } from '../../support/staff.ts';
import { forge, readWhole } from '../forging.ts';
import { NOW } from '../published.ts';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

const first = staff([]);
const grace = newSigner();

/** The root after another, in which this key signs bundles. */
const handing = (before: SignedRoot, to: Signer) =>
  nextRoot(
    before,
    {
      keys: { ...before.root.keys, [to.keyid]: { public: to.publicPem } },
      roles: { ...before.root.roles, bundle: { keyids: [to.keyid], threshold: 1 } },
    },
    [first.signer],
  );

/** Compiles sources that contain these roots. */
function compileWith(trust: TestTrust, signer: Signer, roots: ReadonlyMap<number, Buffer> = new Map()) {
  const repo = smallDeployment();
  for (const [version, envelope] of roots) repo.write(`instructions/trust/${version}.json`, envelope);
  repo.commit();
  return compileToFolder(repo.path, { trust, over: { signers: [signer] } });
}

const reason = (folder: string, { root }: { root: SignedRoot }, now = NOW) =>
  reasonOf(() => readWhole(folder, root, now));
const envelopes = (...roots: SignedRoot[]) => new Map(roots.map((it) => [it.root.version, it.envelope]));

describe('DESIGN §7 keys that are not valid', () => {
  test('a key that a later trust root revoked is refused', async () => {
    const second = handing(first.root, grace);
    const { out, bundle } = await compileWith(first, grace, envelopes(first.root, second));
    expect([reason(out, first), reason(out, { root: second })]).toEqual(['believed', 'believed']);
    expect(reason(forge(bundle, { signers: [first.signer] }), first)).toBe('key_unknown');
  });

  test('a key that was revoked by a trust root which only the reader has is refused', async () => {
    const { out } = await compileWith(first, first.signer);
    expect(reason(out, first)).toBe('believed');
    expect(reason(out, { root: handing(first.root, grace) })).toBe('key_unknown');
  });

  test('a key is refused from the second at which it expires', async () => {
    const found = staff([]);
    const expires = '2027-01-01T00:00:00Z';
    const keys = { [found.signer.keyid]: { public: found.signer.publicPem, expires } };
    const trust = {
      ...found,
      root: nextRoot({ ...found.root, root: { ...found.root.root, version: 0 } }, { keys }, [found.signer]),
    };
    const { out } = await compileWith(trust, trust.signer);
    expect(reason(out, trust, '2026-12-31T23:59:59Z')).toBe('believed');
    expect(reason(out, trust, expires)).toBe('key_expired');
  });
});

describe('DESIGN §7 trust roots that are not valid', () => {
  test.each([
    ['has expired', { expires: '2027-01-01T00:00:00Z' }, '2026-12-31T23:59:59Z', '2027-01-01T00:00:00Z'],
    ['is not yet in force', { valid_from: '2027-01-01T00:00:00Z' }, '2027-01-01T00:00:00Z', '2026-12-31T23:59:59Z'],
  ])('a trust root that %s is refused', async (_, over, inForce, outside) => {
    const trust = staff([], over);
    const { out } = await compileWith(trust, trust.signer);
    expect(reason(out, trust, inForce)).toBe('believed');
    expect(reason(out, trust, outside)).toBe('trust_expired');
  });

  const second = handing(first.root, grace);
  const third = nextRoot(second, {}, [first.signer]);

  test('a trust root that skips a version is refused, in the sources and in a bundle', async () => {
    const skipped = envelopes(first.root, third);
    expect(await laterReasonOf(compileWith(first, grace, skipped))).toBe('trust_skipped');
    const { bundle } = await compileWith(first, first.signer);
    const files = new Map([['trust/3.json', third.envelope]]);
    expect(reason(forge(bundle, { signers: [grace], files }), first)).toBe('trust_skipped');
  });

  test('a bundle is refused by another trust root than the pinned one', async () => {
    const { out } = await compileWith(first, first.signer);
    expect(reason(out, staff([]))).toBe('trust_mismatch');
  });
});

const ann = person('ann');
const trust = staff([ann]);
let older: string;
let newer: string;
let fork: string;

beforeAll(async () => {
  const repo = smallDeployment();
  repo.commit();
  older = (await compileToFolder(repo.path, { trust })).out;
  repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', 'Tell them.')).commit();
  const compiled = await compileToFolder(repo.path, { trust });
  newer = compiled.out;
  const root = <T extends object>(it: T) => ({ ...it, compiler: '0.1.1' });
  fork = forge(compiled.bundle, { root, signers: [trust.signer] });
});

/** The result of `vade verify --previous` for two bundles. */
async function lineage(folder: string, previous: string): Promise<string> {
  const { steps } = await verifyBundle(folder, { pinned: trust.root, now: NOW, garden: null, previous });
  const found = steps.find((it) => it.step === 'lineage');
  return found?.reason ?? found?.status ?? 'not looked at';
}

describe('DESIGN §7 anti-rollback: verify --previous', () => {
  test('verify --previous refuses another bundle of the same serial', async () => {
    expect([await lineage(fork, newer), await lineage(newer, fork)]).toEqual(['serial_forked', 'serial_forked']);
  });

  test.each([
    ['an administrator', 'ok', () => [ann.signer]],
    ['the key of the bundle', 'serial_lower', () => [trust.signer]],
  ])('verify --previous judges an older bundle by who allowed the rollback: %s, %s', async (_, expected, signers) => {
    const folder = tempFolder();
    cpSync(older, folder, { recursive: true });
    const revision = readFileSync(join(older, 'current'), 'utf8').trim();
    const rollback = { deployment: 'acme', revision, reason: 'the new one is bad', expires: '2031-01-01T00:00:00Z' };
    writeFileSync(join(folder, ROLLBACK), signRollback(rollback, signers()));
    expect((await lineage(folder, newer)) === 'ok').toBe(expected === 'ok');
  });
});
