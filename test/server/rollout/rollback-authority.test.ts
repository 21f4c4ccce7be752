import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ROLLBACK } from '../../../compiler/io/bundle/sidecar-files.ts';
import type { TrustRoot } from '../../../compiler/schema/source/trust-root.ts';
import type { SignedRoot } from '../../../compiler/trust/root-chain.ts';
import { compileToFolder } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { smallDeployment, unitFile, type Repository } from '../../support/repository.ts';
import { keysWith, newSigner, nextRoot, person, staff } from '../../support/staff.ts';
import { servedWith, withPermission } from './restarting.ts';

const [ann, bob, eve] = [person('ann'), person('bob'), person('eve')];
const trust = staff([ann, bob]);
const SECOND = 'instructions/trust/2.json';
let audit: string;

/** The root without ann: bob stays, and eve is new. */
function withoutAnn(change: Partial<TrustRoot> = {}): SignedRoot {
  const { [ann.signer.keyid]: _, ...keys } = keysWith(trust.root.root, eve);
  return nextRoot(trust.root, { keys, admins: [bob.entity, eve.entity], ...change }, [trust.signer]);
}

async function compiled(repo: Repository, signer = trust.signer): Promise<string> {
  return (await compileToFolder(repo.path, { trust: { ...trust, signer } })).out;
}

/** A bundle under the first root, and one under a second root without ann. */
async function rotated() {
  const repo = smallDeployment();
  repo.commit();
  const before = await compiled(repo);
  repo.write(SECOND, withoutAnn().envelope.toString('utf8')).commit('ann leaves');
  return { before, after: await compiled(repo) };
}

let made: Awaited<ReturnType<typeof rotated>>;
beforeAll(async () => {
  made = await rotated();
});
beforeEach(() => {
  audit = join(tempFolder(), 'audit.db');
});

const served = (bundle: string) => servedWith(audit, bundle, trust);
const record = () => `${audit}.seen.json`;
const deployments = () =>
  (JSON.parse(readFileSync(record(), 'utf8')) as { deployments: Record<string, Record<string, unknown>> }).deployments;
const rewrite = (change: Record<string, unknown>) => {
  writeFileSync(
    record(),
    JSON.stringify({ format: 1, deployments: { acme: { ...deployments()['acme'], ...change } } }),
  );
};

describe('DESIGN §7 who may authorise a rollback to a bundle with an older trust root', () => {
  test('an administrator whom the newest accepted root removed may not, though the older root names them', async () => {
    const { before, after } = made;
    expect([await served(before), await served(after)]).toEqual(['served', 'served']);
    expect(await served(withPermission(before, [ann.signer]))).toBe('key_unknown');
    expect(await served(after)).toBe('served');
  });

  test('an administrator of the newest accepted root may, and the bundle stays in service after restarts', async () => {
    const { before, after } = made;
    expect([await served(after), await served(withPermission(before, [bob.signer]))]).toEqual(['served', 'served']);
    // without the permission too: it was accepted, and permissions expire
    expect([await served(before), await served(after)]).toEqual(['served', 'served']);
  });

  test('an administrator whom only the newest accepted root names may', async () => {
    const { before, after } = made;
    expect([await served(after), await served(withPermission(before, [eve.signer]))]).toEqual(['served', 'served']);
  });

  test('after a rollback the newest root still decides: the former administrator may not go back further', async () => {
    const repo = smallDeployment();
    repo.commit();
    const oldest = await compiled(repo);
    repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', 'Tell them.')).commit();
    const older = await compiled(repo);
    repo.write(SECOND, withoutAnn().envelope.toString('utf8')).commit('ann leaves');
    const newest = await compiled(repo);
    expect([await served(newest), await served(withPermission(older, [bob.signer]))]).toEqual(['served', 'served']);
    expect(await served(withPermission(oldest, [ann.signer]))).toBe('key_unknown');
    expect(await served(withPermission(oldest, [bob.signer]))).toBe('served');
  });

  test('a permission for another bundle, by whomever, does not stop the newest one', async () => {
    const { before, after } = made;
    expect(await served(after)).toBe('served');
    const permission = readFileSync(join(withPermission(before, [ann.signer]), ROLLBACK));
    const folder = withPermission(after, [bob.signer]);
    writeFileSync(join(folder, ROLLBACK), permission);
    expect(await served(folder)).toBe('served');
  });

  test('a permission that is invalid does not stop the bundle that was rolled back to', async () => {
    const { before, after } = made;
    expect([await served(after), await served(withPermission(before, [bob.signer]))]).toEqual(['served', 'served']);
    expect(await served(withPermission(before, [ann.signer]))).toBe('served');
  });
});

describe('DESIGN §7 the newest accepted trust root', () => {
  test('a bundle with another trust root of the same version is refused, whatever its serial', async () => {
    const { after } = made;
    const repo = smallDeployment();
    repo.commit();
    // a holder of a retired root key can make a second root of their own
    const own = newSigner();
    const keys = { ...trust.root.root.keys, [own.keyid]: { public: own.publicPem } };
    const roles = { ...trust.root.root.roles, bundle: { keyids: [own.keyid], threshold: 1 } };
    const other = nextRoot(trust.root, { keys, roles }, [trust.signer]);
    repo.write(SECOND, other.envelope.toString('utf8')).commit('a fork');
    for (const words of ['One.', 'Two.', 'Three.']) {
      repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', [], '', words)).commit(words);
    }
    expect([await served(after), await served(await compiled(repo, own))]).toEqual(['served', 'trust_mismatch']);
  });

  test.each([
    ['none', undefined],
    ['no envelope', 'AAAA'],
    ['an envelope that its own keys did not sign', Buffer.from('{"payload":"","payloadType":"x","signatures":[]}')],
    ['not text', 7],
  ])('a server does not start if its record of the trust root is damaged: %s', async (_, damage) => {
    expect(await served(made.after)).toBe('served');
    rewrite({ trust_root: Buffer.isBuffer(damage) ? damage.toString('base64') : damage });
    expect(await served(made.after)).toBe('output_failed');
  });

  test('a server does not start if its record has the trust root of another deployment', async () => {
    expect(await served(made.after)).toBe('served');
    const other = staff([ann], { deployment: 'ajax' }).root.envelope.toString('base64');
    rewrite({ trust_root: other });
    expect(await served(made.after)).toBe('output_failed');
  });
});
