import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { forge } from '../../io/forging.ts';
import { compileToFolder, testTrust, type TestTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { smallDeployment, unitFile } from '../../support/repository.ts';
import { newSigner, nextRoot, person, staff } from '../../support/staff.ts';
import { servedWith, withPermission } from './restarting.ts';

const [ann, bob] = [person('ann'), person('bob')];
const trust = staff([ann, bob]);
const development = testTrust({ development: true });
let audit: string;

/** Two bundles of one deployment, the second newer. */
async function two(under: TestTrust) {
  const repo = smallDeployment();
  repo.commit();
  const older = (await compileToFolder(repo.path, { trust: under })).out;
  repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', 'Tell them.')).commit();
  const { out: newer, bundle } = await compileToFolder(repo.path, { trust: under });
  return { older, newer, bundle };
}

let made: Awaited<ReturnType<typeof two>>;
beforeAll(async () => {
  made = await two(trust);
});
beforeEach(() => {
  audit = join(tempFolder(), 'audit.db');
});

const served = (bundle: string, under = trust) => servedWith(audit, bundle, under);

describe('DESIGN §7, §8 the rollback guard', () => {
  test('a bundle older than the newest served one is refused after a restart', async () => {
    expect([await served(made.older), await served(made.newer)]).toEqual(['served', 'served']);
    expect([await served(made.older), await served(made.newer)]).toEqual(['serial_lower', 'served']);
  });

  test('another bundle with the same serial is refused after a restart', async () => {
    const root = <T extends object>(it: T) => ({ ...it, compiler: '0.1.1' });
    const fork = forge(made.bundle, { root, signers: [trust.signer] });
    expect([await served(made.newer), await served(fork)]).toEqual(['served', 'serial_forked']);
  });

  test('a server without a record of served bundles accepts an older one', async () => {
    expect([await served(made.newer)]).toEqual(['served']);
    audit = join(tempFolder(), 'audit.db');
    expect(await served(made.older)).toBe('served');
  });

  test('a server does not start if it cannot record the served bundle', async () => {
    audit = join(tempFolder(), 'no', 'such', 'audit.db');
    expect(await served(made.newer)).toBe('output_failed');
  });

  test('a server does not start if its record of served bundles is damaged', async () => {
    await served(made.newer);
    writeFileSync(`${audit}.seen.json`, '{"format":1,"deployments":{"__proto__":1}');
    expect(await served(made.older)).toBe('output_failed');
  });

  test('development bundles are neither recorded nor refused', async () => {
    const { older, newer } = await two(development);
    expect([await served(newer, development), await served(older, development)]).toEqual(['served', 'served']);
    expect(existsSync(`${audit}.seen.json`)).toBe(false);
  });
});

describe('DESIGN §7 a retired key that signs bundles', () => {
  /** Before and after a new key signs bundles, and what the holder of the old one can then make: a newer serial. */
  async function rotated() {
    const repo = smallDeployment();
    const start = repo.commit();
    const before = (await compileToFolder(repo.path, { trust })).out;
    const fresh = newSigner();
    const keys = {
      [trust.signer.keyid]: { public: trust.signer.publicPem },
      [fresh.keyid]: { public: fresh.publicPem },
    };
    const own = Object.fromEntries([ann, bob].map((it) => [it.signer.keyid, trust.root.root.keys[it.signer.keyid]!]));
    const roles = { ...trust.root.root.roles, bundle: { keyids: [fresh.keyid], threshold: 1 } };
    const next = nextRoot(trust.root, { keys: { ...keys, ...own }, roles }, [trust.signer]);
    repo.write('instructions/trust/2.json', next.envelope.toString('utf8')).commit('a new key');
    const after = (await compileToFolder(repo.path, { trust: { ...trust, signer: fresh } })).out;
    repo.git('checkout', '--quiet', start);
    for (const words of ['One.', 'Two.', 'Three.']) {
      repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', words)).commit(words);
    }
    return { before, after, forged: (await compileToFolder(repo.path, { trust })).out };
  }

  test('a server that knows the new trust root refuses what the old key signs, however new its serial', async () => {
    const { before, after, forged } = await rotated();
    expect([await served(before), await served(after)]).toEqual(['served', 'served']);
    expect([await served(forged), await served(after)]).toEqual(['trust_lower', 'served']);
  });

  test('an administrator may return to a bundle of the old key; what else that key signs stays refused', async () => {
    const { before, after, forged } = await rotated();
    expect([await served(after), await served(withPermission(before, [ann.signer]))]).toEqual(['served', 'served']);
    expect(await served(forged)).toBe('trust_lower');
  });
});

describe('DESIGN §7 authorised rollbacks', () => {
  test('a rollback signed by an administrator is served, and stays served after restarts', async () => {
    await served(made.newer);
    expect(await served(withPermission(made.older, [ann.signer]))).toBe('served');
    expect(await served(made.older)).toBe('served');
  });

  test.each([
    ['the key of bundles', () => withPermission(made.older, [trust.signer]), 'key_unknown'],
    [
      'an administrator for another root',
      () => withPermission(made.older, [ann.signer], { revision: '1-x' }),
      'serial_lower',
    ],
    [
      'an administrator, but expired',
      () => withPermission(made.older, [ann.signer], { expires: '2020-01-01T00:00:00Z' }),
      'serial_lower',
    ],
    [
      'an administrator of another deployment',
      () => withPermission(made.older, [ann.signer], { deployment: 'ajax' }),
      'statement_misplaced',
    ],
  ])('a rollback is not withPermission if signed by %s', async (_, folder, expected) => {
    await served(made.newer);
    expect(await served(folder())).toBe(expected);
  });

  test('an expired permission does not stop a bundle that needs none', async () => {
    const over = { expires: '2020-01-01T00:00:00Z' };
    expect(await served(withPermission(made.newer, [ann.signer], over))).toBe('served');
  });

  test('a rollback needs the number of signatures that the trust root requires', async () => {
    const strict = staff([ann, bob], { thresholds: { approval: 1, withdrawal: 1, rollback: 2 } });
    const { older, newer } = await two(strict);
    expect(await served(newer, strict)).toBe('served');
    expect(await served(withPermission(older, [ann.signer]), strict)).toBe('signatures_missing');
    expect(await served(withPermission(older, [ann.signer, bob.signer]), strict)).toBe('served');
  });
});
