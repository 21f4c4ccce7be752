import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROLLBACK } from '../../../compiler/io/bundle/sidecar-files.ts';
import { verifyBundle } from '../../../compiler/io/bundle/verify-bundle.ts';
import { signRollback } from '../../../compiler/trust/rollback.ts';
import { compileToFolder } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { smallDeployment, unitFile } from '../../support/repository.ts';
import { person, staff } from '../../support/staff.ts';
import { forge } from '../forging.ts';
import { NOW } from '../published.ts';

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
  test('verify --previous accepts a newer bundle and the same one', async () => {
    expect([await lineage(newer, older), await lineage(newer, newer)]).toEqual(['ok', 'ok']);
  });

  test('verify --previous refuses an older bundle although its signature is valid', async () => {
    expect(await lineage(older, newer)).toBe('serial_lower');
  });

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
