import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { vade } from '../support/cli.ts';
import { testTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { smallDeployment, type Repository } from '../support/repository.ts';
import { guaranteed } from '../support/staffed.ts';
import { runStep } from './job.ts';

const ROOT = 'instructions/trust/1.json';

let repo: Repository;
let key: string;

beforeEach(() => {
  const trust = testTrust();
  key = trust.pem;
  repo = smallDeployment().write(ROOT, Buffer.from(trust.root.envelope));
  repo.commit();
});

const main = (env: Record<string, string> = {}) => runStep('main', repo.path, {}, { VADE_SIGNING_KEY: key, ...env });

describe('the step main of the action', () => {
  test('what was merged is signed, fresh, verified and packed, and the archive answers a recall elsewhere', async () => {
    const { code, log, outputs } = await main();
    expect(code, log).toBe(0);
    expect(outputs['revision']).toMatch(/^1-[0-9a-f]+$/);
    expect(existsSync(join(outputs['bundle'] ?? '', 'freshness.dsse.json'))).toBe(true);
    const elsewhere = tempFolder();
    const { execFileSync } = await import('node:child_process');
    execFileSync('tar', ['-xzf', outputs['archive'] ?? '', '-C', elsewhere]);
    const asked = ['--agent', 'cto', '--intent', 'what may I never do', '--bundle', elsewhere];
    const ran = await vade(['recall', '--trust', ROOT, ...asked], repo.path);
    expect([ran.code, ran.envelope().data['chunks']]).toEqual([0, expect.arrayContaining([expect.anything()])]);
  });

  test('the key is in no log', async () => {
    const [, secret = ''] = key.split('\n');
    expect((await main()).log).not.toContain(secret);
  });

  test('without a key nothing is compiled, and the message names the secret', async () => {
    const ran = await main({ VADE_SIGNING_KEY: '' });
    expect([ran.code, ran.outputs]).toEqual([1, {}]);
    expect(ran.log).toMatch(/^::error title=signing_key_required::.*VADE_SIGNING_KEY/m);
  });

  test('a key of somebody else, and a missing approval, publish nothing', async () => {
    const stranger = await main({ VADE_SIGNING_KEY: testTrust().pem });
    expect([stranger.code, stranger.outputs]).not.toEqual([0, {}]);
    expect(stranger.outputs).toEqual({});
    guaranteed(repo).commit();
    const unapproved = await main();
    expect([unapproved.code, unapproved.outputs]).toEqual([4, {}]);
  });
});

describe('the step schedule of the action', () => {
  test('with the key the bundle is compiled whole and made fresh; without it, only certified', async () => {
    const signed = await runStep('schedule', repo.path, {}, { VADE_SIGNING_KEY: key });
    expect([signed.code, Object.keys(signed.outputs)]).toEqual([0, ['bundle', 'archive', 'revision']]);
    const unsigned = await runStep('schedule', repo.path, {});
    expect([unsigned.code, unsigned.log]).toEqual([0, expect.stringContaining('vade verify --dev')]);
  });

  test('an audit that cannot be read fails the run, and its address is in no log', async () => {
    const audit = join(tempFolder(), 'secret-address.db');
    const ran = await runStep('schedule', repo.path, {}, { VADE_AUDIT: audit });
    expect(ran.code).not.toBe(0);
    expect(ran.log).not.toContain('secret-address');
  });
});
