import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROLLBACK } from '../../../compiler/io/bundle/sidecar-files.ts';
import { signRollback } from '../../../compiler/trust/rollback.ts';
import { forge } from '../../io/forging.ts';
import { compileToFolder, testTrust, type TestTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { smallDeployment, unitFile } from '../../support/repository.ts';
import { person, staff } from '../../support/staff.ts';
import { running } from '../running.ts';

const [ann, bob] = [person('ann'), person('bob')];
const trust = staff([ann, bob]);
const development = testTrust({ development: true });
const DAY_MS = 86_400_000;
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

/** Starts a server and ends it again; answers the reason why it did not start. */
async function served(bundle: string, under = trust, now = Date.now()): Promise<string> {
  try {
    await (await running({ bundle, trust: under, audit, now: () => now })).close();
    return 'served';
  } catch (error) {
    const { code, details } = error as { code: string; details: { reason?: string } };
    return details.reason ?? code;
  }
}

/** A copy of a bundle with the permission to return to it. */
function allowed(
  bundle: string,
  by = [ann.signer],
  over: { deployment?: string; expires?: string; revision?: string } = {},
) {
  const folder = tempFolder();
  cpSync(bundle, folder, { recursive: true });
  const revision = readFileSync(join(bundle, 'current'), 'utf8').trim();
  const expires = new Date(Date.now() + DAY_MS).toISOString();
  const rollback = { deployment: 'acme', revision, reason: 'the new one is bad', expires, ...over };
  writeFileSync(join(folder, ROLLBACK), signRollback(rollback, by));
  return folder;
}

describe('DESIGN §7, §8 a server that served a bundle serves no older one, across restarts', () => {
  test('an older bundle', async () => {
    expect([await served(made.older), await served(made.newer)]).toEqual(['served', 'served']);
    expect([await served(made.older), await served(made.newer)]).toEqual(['serial_lower', 'served']);
  });

  test('another bundle of the same serial', async () => {
    const root = <T extends object>(it: T) => ({ ...it, compiler: '0.1.1' });
    const fork = forge(made.bundle, { root, signers: [trust.signer] });
    expect([await served(made.newer), await served(fork)]).toEqual(['served', 'serial_forked']);
  });

  test('a server that never served one knows of none', async () => {
    expect([await served(made.newer)]).toEqual(['served']);
    audit = join(tempFolder(), 'audit.db');
    expect(await served(made.older)).toBe('served');
  });

  test('what cannot be remembered is not served', async () => {
    audit = join(tempFolder(), 'no', 'such', 'audit.db');
    expect(await served(made.newer)).toBe('output_failed');
  });

  test('and a memory that cannot be read is not taken for none', async () => {
    await served(made.newer);
    writeFileSync(`${audit}.seen.json`, '{"format":1,"deployments":{"__proto__":1}');
    expect(await served(made.older)).toBe('output_failed');
  });

  test('development bundles are made anew all day', async () => {
    const { older, newer } = await two(development);
    expect([await served(newer, development), await served(older, development)]).toEqual(['served', 'served']);
    expect(existsSync(`${audit}.seen.json`)).toBe(false);
  });
});

describe('DESIGN §7 a return to an older root', () => {
  test('takes an administrator, and then stays', async () => {
    await served(made.newer);
    expect(await served(allowed(made.older))).toBe('served');
    expect(await served(made.older)).toBe('served');
  });

  test.each([
    ['the key of bundles', () => allowed(made.older, [trust.signer]), 'key_unknown'],
    ['an administrator, of another root', () => allowed(made.older, [ann.signer], { revision: '1-x' }), 'serial_lower'],
    [
      'an administrator, long ago',
      () => allowed(made.older, [ann.signer], { expires: '2020-01-01T00:00:00Z' }),
      'serial_lower',
    ],
    [
      'an administrator, of another deployment',
      () => allowed(made.older, [ann.signer], { deployment: 'ajax' }),
      'statement_misplaced',
    ],
  ])('is not allowed by %s', async (_, folder, expected) => {
    await served(made.newer);
    expect(await served(folder())).toBe(expected);
  });

  test('a permission whose time is over does not stop a bundle that needs none', async () => {
    const over = { expires: '2020-01-01T00:00:00Z' };
    expect(await served(allowed(made.newer, [ann.signer], over))).toBe('served');
  });

  test('takes as many as the root says', async () => {
    const strict = staff([ann, bob], { thresholds: { approval: 1, withdrawal: 1, rollback: 2 } });
    const { older, newer } = await two(strict);
    expect(await served(newer, strict)).toBe('served');
    expect(await served(allowed(older), strict)).toBe('signatures_missing');
    expect(await served(allowed(older, [ann.signer, bob.signer]), strict)).toBe('served');
  });
});
