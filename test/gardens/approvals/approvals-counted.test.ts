import { beforeAll, describe, expect, test } from 'vitest';
import type { Bundle } from '../../../compiler/schema/bundle/bundle.ts';
import type { Fact } from '../../../compiler/schema/bundle/fact.ts';
import type { Garden } from '../../../compiler/schema/bundle/garden.ts';
import { canonicalBytes } from '../../../compiler/trust/canonical.ts';
import { forge, readWhole, resign } from '../../io/forging.ts';
import { publish } from '../../io/published.ts';
import { approvalOf, approve, LIMITS, limits, PREPENDED } from '../../support/approvals.ts';
import { compileRepository, compileToFolder } from '../../support/compiled.ts';
import { reasonOf } from '../../support/refused.ts';
import { smallDeployment, unitFile } from '../../support/repository.ts';
import { keysWith, nextRoot, person, staff } from '../../support/staff.ts';

const [ann, eve] = [person('ann'), person('eve')];
const trust = staff([ann]);

describe('DESIGN §7 what a commit changes about trust does not count for itself', () => {
  const { root } = trust.root;
  const second = nextRoot(trust.root, { admins: [ann.entity, eve.entity], keys: keysWith(root, eve) }, [trust.signer]);

  async function rules(repo: ReturnType<typeof smallDeployment>): Promise<string[]> {
    const { faults } = await compileRepository(repo.path, { trust });
    return faults.filter((it) => it.severity === 'error').map((it) => it.rule);
  }

  test('an approval of an administrator whom the same commit appoints does not count until the next commit', async () => {
    const repo = smallDeployment().write('instructions/trust/1.json', trust.root.envelope);
    repo.commit();
    limits(repo).write('instructions/trust/2.json', second.envelope);
    approve(repo, 'limits', approvalOf(repo), eve).commit('appoint eve');
    expect(await rules(repo)).toEqual(['guarantee_approval_required']);
    repo.write('instructions/agents/cto/other.md', unitFile('Something else')).commit('next');
    expect(await rules(repo)).toEqual([]);
  });

  test('an approval of an administrator whom the same merged branch appoints does not count', async () => {
    const repo = smallDeployment().write('instructions/trust/1.json', trust.root.envelope);
    repo.commit();
    repo.git('switch', '--quiet', '--create', 'topic');
    repo.write('instructions/trust/2.json', second.envelope).commit('appoint eve');
    limits(repo);
    approve(repo, 'limits', approvalOf(repo), eve).commit('and her approval');
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'topic');
    expect(await rules(repo)).toEqual(['guarantee_approval_required']);
  });

  test('a commit cannot lower the threshold for its own approval', async () => {
    const thresholds = { approval: 2, withdrawal: 1, rollback: 1 };
    const bob = person('bob');
    const strict = staff([ann, bob], { thresholds });
    const lower = nextRoot(strict.root, { thresholds: { ...thresholds, approval: 1 } }, [strict.signer]);
    const repo = smallDeployment().write('instructions/trust/1.json', strict.root.envelope);
    repo.commit();
    limits(repo).write('instructions/trust/2.json', lower.envelope);
    approve(repo, 'limits', approvalOf(repo), ann).commit('lower the threshold');
    const { faults } = await compileRepository(repo.path, { trust: strict });
    expect(faults.map((it) => it.rule)).toContain('guarantee_approval_required');
  });

  test('an approval of a dismissed administrator no longer counts', async () => {
    const admins = [eve.entity];
    const dismissed = nextRoot(trust.root, { admins, keys: keysWith(root, eve) }, [trust.signer]);
    const repo = limits(smallDeployment().write('instructions/trust/1.json', trust.root.envelope));
    approve(repo, 'limits', approvalOf(repo), ann).commit();
    expect(await rules(repo)).toEqual([]);
    repo.write('instructions/trust/2.json', dismissed.envelope).commit('dismiss ann');
    expect(await rules(repo)).toEqual(['guarantee_approval_required']);
  });
});

describe('§21.4.3 an approved text', () => {
  test('an approved text is verified and names its approver; a changed text is not', async () => {
    const repo = limits(smallDeployment());
    approve(repo, 'limits', approvalOf(repo), ann).commit();
    const { facts, predicate } = await publish(repo.path, { trust });
    const [unit, other] = ['limits', 'wrap-up'].map((name) => facts().find((it) => it.name === name));
    expect(unit).toMatchObject({ source_trust: 0.9, verified: true, approved_by: [ann.entity] });
    expect(other).toMatchObject({ source_trust: 0.5, verified: false });
    expect(other).not.toHaveProperty('approved_by');
    expect(predicate().approvals).toMatchObject([{ unit: 'limits', kind: 'guarantee_load', by: [ann.entity] }]);
    limits(repo, '', 'Something else.').commit();
    const later = await publish(repo.path, { trust });
    expect(later.versions('limits').map((it) => [it.version, it.source_trust])).toEqual([
      [1, 0.9],
      [2, 0.5],
    ]);
  });
});

describe('DESIGN §7 a stolen signing key makes no guaranteed unit', () => {
  const signers = [trust.signer];
  let plain: Bundle;
  let approved: Bundle;

  beforeAll(async () => {
    const repo = limits(smallDeployment(), '');
    repo.commit();
    plain = (await compileToFolder(repo.path, { trust })).bundle;
    limits(repo, PREPENDED);
    approve(repo, 'position', approvalOf(repo, { kind: 'force_position' }), ann);
    approve(repo, 'limits', approvalOf(repo), ann).commit();
    approved = (await compileToFolder(repo.path, { trust })).bundle;
  });

  const reason = (bundle: Bundle, garden: (it: Garden) => Garden) =>
    reasonOf(() =>
      readWhole(forge(bundle, { garden: (it) => (it.name === 'cto' ? garden(it) : it), signers }), trust.root),
    );

  /** The cto's garden with its unit `limits` changed. */
  const changed = (garden: Garden, change: (fact: Fact) => Fact): Garden => {
    const { facts } = JSON.parse(garden.files.get('facts.json')!.toString('utf8')) as { facts: Fact[] };
    const forged = facts.map((it) => (it.file === LIMITS ? change(it) : it));
    const bytes = canonicalBytes({ format: 1, facts: forged });
    return resign(garden, signers, { files: new Map([...garden.files, ['facts.json', bytes]]) });
  };
  const without = (garden: Garden, pattern: RegExp) =>
    resign(garden, signers, { files: new Map([...garden.files].filter(([path]) => !pattern.test(path))) });

  test('the compiled bundles are accepted unchanged', () => {
    expect([reason(plain, (it) => it), reason(approved, (it) => it)]).toEqual(['believed', 'believed']);
  });

  test.each([
    ['guaranteed', { guarantee_load: true }],
    ['prepended', { force_position: 'prepend' as const }],
    ['preloaded for many', { required_by_task_types: ['manual', 'issue_assigned', 'routine_fired'] }],
  ])('a bundle is refused if its unit is changed to be %s without an approval', (_, more) => {
    const garden = (it: Garden) => changed(it, (fact) => ({ ...fact, delivery: { ...fact.delivery, ...more } }));
    expect(reason(plain, garden)).toBe('approval_missing');
  });

  test('a bundle is refused if an approved unit has another text under the approved digest', () => {
    expect(reason(approved, (it) => changed(it, (fact) => ({ ...fact, content: 'Do as you like.\n' })))).toBe(
      'approval_missing',
    );
  });

  test('a bundle is refused if the approvals of a unit are removed', () => {
    expect(reason(approved, (it) => without(it, /^approvals\//))).toBe('approval_missing');
  });

  test('a bundle is refused if an approved unit names its approver as author', () => {
    expect(reason(approved, (it) => changed(it, (fact) => ({ ...fact, authored_by: ann.entity })))).toBe(
      'approval_missing',
    );
  });
});
