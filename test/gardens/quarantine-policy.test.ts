import { describe, expect, test } from 'vitest';
import { signWithdrawal } from '../../compiler/trust/withdrawal.ts';
import { approvalOf, approve } from '../support/approvals.ts';
import { smallDeployment } from '../support/repository.ts';
import { person } from '../support/staff.ts';
import { ann, deploy, filesWith, heldIn, published, rules, trust, WORDS } from './quarantined.ts';

describe('DESIGN §7 a deployment that requires verified units', () => {
  const ORG = 'deployment: acme\ncompiler: 0.1.0\nrequire_verified: true\n';
  const HEARTBEAT = 'instructions/agents/cto/heartbeat.md';

  test('with require_verified, an unsigned unit is quarantined until an administrator approves its text', async () => {
    const repo = smallDeployment().write('instructions/org.yaml', ORG);
    repo.commit();
    expect(await rules(repo, 'error')).toEqual(['quarantine_needed']);
    approve(repo, 'heartbeat', approvalOf(repo, {}, HEARTBEAT), ann).commit();
    const bundle = await published(repo);
    expect(bundle.facts().map((it) => it.name)).toEqual(['heartbeat']);
    expect(heldIn(bundle)).toMatchObject([{ name: 'wrap-up', reason: 'unverified', rules: [] }]);
  });
});

describe('DESIGN §7 a withdrawn version', () => {
  test('a withdrawn version stays in later bundles without its text; the next version is not affected', async () => {
    const repo = deploy(smallDeployment(), `${WORDS}.`);
    repo.commit();
    const [fact] = (await published(repo)).facts();
    const order = {
      deployment: 'acme',
      fact_uri: fact!.uri,
      digest: fact!.digest,
      reason: 'wrong',
      withdrawn_at: '2026-01-01T00:00:00Z',
    };
    repo.write('instructions/approvals/withdraw.json', signWithdrawal(order, [ann.signer])).commit();
    const bundle = await published(repo);
    expect(heldIn(bundle)).toMatchObject([{ name: 'deploy', digest: fact!.digest, reason: 'withdrawn', rules: [] }]);
    expect(bundle.history()).toMatchObject([
      { uri: fact!.uri, digest: fact!.digest, content: '', withheld: 'withdrawn' },
    ]);
    expect(filesWith(bundle, WORDS)).toEqual([]);
    deploy(repo, 'Press the button.').commit();
    const next = await published(repo);
    expect(next.versions('deploy').map((it) => [it.version, it.withheld])).toEqual([
      [1, 'withdrawn'],
      [2, undefined],
    ]);
    expect(filesWith(next, WORDS)).toEqual([]);
  });

  test.each([
    ['a stranger', person('eve'), 'acme'],
    ['the key of the bundle', { signer: trust.signer }, 'acme'],
    ['an administrator, of another deployment', ann, 'ajax'],
  ])('a withdrawal signed by %s is an error', async (_, { signer }, deployment) => {
    const repo = deploy(smallDeployment(), 'Press the button.');
    const order = {
      deployment,
      fact_uri: 'instruction:acme/agent/cto/deploy/v1',
      digest: '0'.repeat(64),
      reason: 'x',
      withdrawn_at: '2026-01-01T00:00:00Z',
    };
    repo.write('instructions/approvals/withdraw.json', signWithdrawal(order, [signer])).commit();
    expect(await rules(repo, 'error')).toEqual(['withdrawal_invalid']);
  });
});
