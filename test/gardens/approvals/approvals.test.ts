import { describe, expect, test } from 'vitest';
import type { Approval } from '../../../compiler/schema/source/approval.ts';
import { approvalOf, approve, GUARANTEED, LIMITS, limits, PREPENDED } from '../../support/approvals.ts';
import { compileRepository, type TestTrust } from '../../support/compiled.ts';
import { smallDeployment, unitFile, type Repository } from '../../support/repository.ts';
import { newSigner, person, staff, type Person } from '../../support/staff.ts';

const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((name) => person(name)) as [Person, Person, Person];
const second = { ...ann, signer: newSigner() };
const trust = staff([ann, second, bob]);
const strict = staff([ann, second, bob], { thresholds: { approval: 2, withdrawal: 1, rollback: 1 } });
const BY = { ann: 'Ann <ann@example.com>', bob: 'Bob <bob@example.com>' };

/** Rules that a compile tells, errors alone. */
async function errors(repo: Repository, under: TestTrust = trust): Promise<string[]> {
  const { faults } = await compileRepository(repo.path, { trust: under });
  return faults.filter((it) => it.severity === 'error').map((it) => it.rule);
}

/** A deployment with a guaranteed unit, and an approval of it. */
function approved(over: Partial<Approval> = {}, by: readonly Person[] = [ann], more = GUARANTEED): Repository {
  const repo = limits(smallDeployment(), more);
  approve(repo, 'limits', approvalOf(repo, over), ...by);
  repo.commit();
  return repo;
}

const MISSING = ['guarantee_approval_required'];

describe('§21.1.5 a guaranteed unit takes an administrator’s yes', () => {
  test('a guaranteed unit with an approval compiles', async () => {
    expect(await errors(approved())).toEqual([]);
  });

  test.each([
    ['another deployment', { deployment: 'ajax' }],
    ['another agent', { garden: 'ops' }],
    ['another unit', { unit: 'wrap-up' }],
    ['another kind', { kind: 'task_types' }],
    ['another value', { value: 'false' }],
    ['an older text', { digest: '0'.repeat(64) }],
    ['another delivery', { delivery: '0'.repeat(64) }],
    ['a time that is over', { expires: '2020-01-01T00:00:00Z' }],
  ] as const)('a guaranteed unit is refused with an approval for %s', async (_, over) => {
    expect(await errors(approved(over))).toEqual(MISSING);
  });

  test.each([
    ['nobody', []],
    ['a stranger', [eve]],
    ['the key of the bundle', [{ entity: ann.entity, signer: trust.signer }]],
  ])('a guaranteed unit is refused with an approval by %s', async (_, by) => {
    expect(await errors(approved({}, by))).toEqual(MISSING);
  });

  test('two keys of one administrator count once', async () => {
    expect(await errors(approved({}, [ann]), strict)).toEqual(MISSING);
    expect(await errors(approved({}, [ann, second]), strict)).toEqual(MISSING);
    expect(await errors(approved({}, [ann, bob]), strict)).toEqual([]);
  });
});

describe('DESIGN §7 nobody approves their own text', () => {
  /** Versions of the unit, each by its author and with its message, and then Bob's approval of the last. */
  function written(versions: readonly (readonly [author: string, message?: string])[]): Repository {
    const repo = smallDeployment();
    repo.commit();
    versions.forEach(([author, message], i) => {
      limits(repo, GUARANTEED, `Text ${i}.`).commit(message, undefined, author);
    });
    approve(repo, 'last', approvalOf(repo), bob).commit('approve', undefined, BY.bob);
    return repo;
  }

  test.each([
    ['its author', [[BY.bob]], MISSING],
    ['a co-author', [[BY.ann, `x\n\nCo-authored-by: ${BY.bob}`]], MISSING],
    ['the author of what it grew from', [[BY.bob], [BY.ann]], MISSING],
    ['a co-author of what it grew from', [[BY.ann, `x\n\nCo-authored-by: ${BY.bob}`], [BY.ann]], MISSING],
    ['somebody else', [[BY.ann], [BY.ann]], []],
  ] as const)('an approval by %s counts only if they did not write the text', async (_, versions, expected) => {
    expect(await errors(written(versions))).toEqual(expected);
  });

  test('authors of a version that another administrator approved may approve the next one', async () => {
    const repo = limits(smallDeployment());
    approve(repo, 'first', approvalOf(repo), ann).commit('begin', undefined, BY.bob);
    limits(repo, GUARANTEED, 'Next.').commit('next', undefined, BY.ann);
    approve(repo, 'second', approvalOf(repo), bob).commit('approve');
    expect(await errors(repo)).toEqual([]);
  });

  test.each([
    ['the author of the text before it', BY.bob, 'x'],
    ['a co-author of the text before it', BY.ann, `x\n\nCo-authored-by: ${BY.bob}`],
  ])('an earlier approval that did not count does not let its signer approve later: %s', async (_, author, message) => {
    const repo = limits(smallDeployment(), GUARANTEED, 'First.');
    approve(repo, 'first', approvalOf(repo), bob).commit(message, undefined, author);
    limits(repo, GUARANTEED, 'Second.').commit('second', undefined, BY.ann);
    approve(repo, 'second', approvalOf(repo), bob).commit('approve');
    limits(repo, GUARANTEED, 'Third.').commit('third', undefined, BY.ann);
    approve(repo, 'third', approvalOf(repo), bob).commit('approve');
    expect(await errors(repo)).toEqual(MISSING);
  });
});

describe('DESIGN §7 an approval lapses', () => {
  test.each([
    ['its text', GUARANTEED, 'Do as you like.'],
    ['its front matter', `${GUARANTEED}aliases: [rules]\n`, undefined],
  ])('an approval lapses if a unit changes %s', async (_, more, body) => {
    const repo = approved();
    limits(repo, more, body).commit();
    expect(await errors(repo)).toEqual(MISSING);
  });

  test('an approval counts again if the approved text returns', async () => {
    const repo = approved();
    limits(repo, GUARANTEED, 'Do as you like.').commit();
    limits(repo).commit();
    expect(await errors(repo)).toEqual([]);
  });

  test('an approval that no unit requires any more is reported as lapsed', async () => {
    const repo = approved();
    limits(repo, '').commit();
    const { faults, bundle } = await compileRepository(repo.path, { trust });
    expect([bundle !== null, faults.map((it) => it.rule)]).toEqual([true, expect.arrayContaining(['approval_lapsed'])]);
  });
});

describe('§21.3.3 S6, §21.2.2 a unit that comes first, or with many wake reasons', () => {
  test('a prepended unit requires an approval with a note of the review', async () => {
    const repo = approved({}, [ann], PREPENDED);
    approve(repo, 'first', approvalOf(repo, { kind: 'force_position', note: null }), ann).commit();
    expect(await errors(repo)).toEqual(['position_approval_required']);
    approve(repo, 'first', approvalOf(repo, { kind: 'force_position' }), ann).commit();
    expect(await errors(repo)).toEqual([]);
  });

  test('a preloaded unit requires an approval of exactly its wake reasons', async () => {
    const repo = smallDeployment();
    const reasons = (...names: string[]) =>
      repo.write(LIMITS, unitFile('What never to do', [], `required_by_task_types: [${names.join(', ')}]\n`));
    reasons('manual', 'issue_assigned', 'routine_fired').commit();
    expect(await errors(repo)).toEqual(['task_types_approval_required']);
    approve(repo, 'wake', approvalOf(repo, { kind: 'task_types' }), ann).commit();
    expect(await errors(repo)).toEqual([]);
    reasons('manual', 'issue_assigned', 'issue_commented').commit();
    expect(await errors(repo)).toEqual(['task_types_approval_required']);
  });
});
