import { describe, expect, test } from 'vitest';
import type { Evidence } from '../../compiler/schema/bundle/evidence.ts';
import { compileRepository } from '../support/compiled.ts';
import {
  AGENT,
  BIRTH,
  born,
  CAST,
  course,
  DAY,
  dayAt,
  evidenceOf,
  file,
  inMode,
  MISSING,
  promoted,
  SKIPPED,
  told,
  type Mode,
} from '../support/evidence.ts';
import type { Repository } from '../support/repository.ts';
import { keysWith, nextRoot, staff, type Person } from '../support/staff.ts';

const { ann, bob, eve, trust } = CAST;
const strict = staff([ann, bob], { thresholds: { approval: 2, withdrawal: 1, rollback: 1 } });

const figures = (over: Partial<Evidence['figures']>) => ({ figures: { ...evidenceOf().figures, ...over } });

describe('§21.6.2 an agent goes one stage at a time, on evidence', () => {
  test.each<Mode>(['file', 'coexistence', 'stigmem'])('what it is born in takes none: %s', async (mode) => {
    expect(await told(born(mode))).toEqual([]);
  });

  test.each<[Mode, Mode, string[]]>([
    ['file', 'coexistence', MISSING],
    ['coexistence', 'stigmem', MISSING],
    ['file', 'stigmem', SKIPPED],
    ['stigmem', 'coexistence', []],
    ['stigmem', 'file', []],
    ['coexistence', 'file', []],
  ])('from %s to %s without any: %j', async (from, to, expected) => {
    expect(await told(course(from, to))).toEqual(expected);
  });

  test('signed evidence of a week in coexistence allows the promotion, and later compiles too', async () => {
    const repo = promoted();
    expect(await told(repo)).toEqual([]);
    repo.write('instructions/agents/cto/more.md', '---\ndescription: More\n---\n\nMore.\n');
    repo.commit('a year later', BIRTH + 400 * DAY);
    expect(await told(repo)).toEqual([]);
  });

  test('five heartbeats allow the first step, whatever their miss rate', async () => {
    const repo = born('file');
    const seed = { from: 'file', to: 'coexistence', since: dayAt(0), until: dayAt(1) } as const;
    file(repo, evidenceOf({ ...seed, ...figures({ missed: 30 }) }), [ann.signer]);
    inMode(repo, 'coexistence').commit('coexist', BIRTH + 2 * DAY);
    expect(await told(repo)).toEqual([]);
  });

  test('the diagnostic names the file, the line and the command', async () => {
    const { faults } = await compileRepository(course('coexistence', 'stigmem').path, { trust });
    const found = faults.find((it) => it.rule === 'migration_evidence_missing');
    expect(found).toMatchObject({ file: AGENT, line: 4, column: 1 });
    expect(found?.help).toContain('vade shadow --agent cto --attest');
  });
});

describe('§21.6.2 evidence counts only for what it has seen', () => {
  test.each<[string, Partial<Evidence>]>([
    ['another deployment', { deployment: 'ajax' }],
    ['another agent', { garden: 'ops' }],
    ['another agent_id', { agent_id: '1b7f2a64-0c1d-4b7e-9d53-6c1f1b7a2e02' }],
    ['another step', { from: 'file', to: 'coexistence' }],
    ['four heartbeats', figures({ heartbeats: 4 })],
    ['six days', { since: dayAt(2) }],
    ['a miss rate of exactly 0.10', figures({ used: 9, missed: 1 })],
    ['a miss rate above it', figures({ used: 1, missed: 1 })],
    ['nothing that was used or missed', figures({ used: 0, missed: 0 })],
    ['days before the stage began', { since: dayAt(-1), until: dayAt(8) }],
    ['days after the move', { until: dayAt(10) }],
    ['answers of a bundle from after the move', { revisions: [`3-${'0'.repeat(64)}`] }],
    ['answers of no bundle at all', { revisions: ['nonsense'] }],
  ])('not %s', async (_, over) => {
    expect(await told(promoted(over))).toEqual(MISSING);
  });

  test('evidence from a bundle of before the stage does not count', async () => {
    const repo = course('file');
    inMode(repo, 'coexistence').commit('coexist', BIRTH + 60);
    file(repo, evidenceOf({ revisions: [`1-${'0'.repeat(64)}`] }), [ann.signer]);
    inMode(repo, 'stigmem').commit('promote', BIRTH + 9 * DAY);
    expect(await told(repo)).toEqual(MISSING);
  });

  test('evidence with other units than those of the move does not count', async () => {
    expect(await told(promoted({}, [ann], 'c'.repeat(64)))).toEqual(MISSING);
    const repo = born('coexistence');
    file(repo, evidenceOf(), [ann.signer]).commit('evidence', BIRTH + 8 * DAY);
    inMode(repo, 'stigmem').write('instructions/agents/cto/heartbeat.md', '---\ndescription: Wake\n---\n\nOther.\n');
    repo.commit('promote', BIRTH + 9 * DAY);
    expect(await told(repo)).toEqual(MISSING);
  });

  test('evidence lapses thirty days after its window, by the time of the move', async () => {
    const repo = born('coexistence');
    file(repo, evidenceOf(), [ann.signer]).commit('evidence', BIRTH + 8 * DAY);
    inMode(repo, 'stigmem').commit('promote', BIRTH + 38 * DAY);
    expect(await told(repo)).toEqual([]);
    const late = born('coexistence');
    file(late, evidenceOf(), [ann.signer]).commit('evidence', BIRTH + 8 * DAY);
    inMode(late, 'stigmem').commit('promote', BIRTH + 38 * DAY + 1);
    expect(await told(late)).toEqual(MISSING);
  });

  test('evidence from before a step back does not count for the next step forward', async () => {
    const repo = promoted();
    inMode(repo, 'coexistence').commit('back', BIRTH + 10 * DAY);
    expect(await told(repo)).toEqual([]);
    inMode(repo, 'stigmem').commit('again', BIRTH + 11 * DAY);
    expect(await told(repo)).toEqual(MISSING);
  });
});

describe('DESIGN §7 evidence is an administrator’s word', () => {
  test.each<[string, Person[]]>([
    ['nobody', []],
    ['a stranger', [eve]],
    ['the key of the bundle', [{ ...ann, signer: trust.signer }]],
  ])('not that of %s', async (_, by) => {
    const repo = promoted({}, by);
    expect(await told(repo)).toEqual(MISSING);
    const { faults } = await compileRepository(repo.path, { trust });
    expect(faults.map((it) => it.rule)).toContain('approval_invalid');
  });

  test('evidence needs as many administrators as the trust root requires', async () => {
    expect(await told(promoted(), strict)).toEqual(MISSING);
    expect(await told(promoted({}, [ann, bob]), strict)).toEqual([]);
  });

  /** A deployment whose second root names Eve too; it comes with the commit that is asked for. */
  function rooted(with_: 'evidence' | 'promote', by: Person): Repository {
    const { root } = trust.root;
    const admins = [...root.admins, eve.entity].sort();
    const second = nextRoot(trust.root, { admins, keys: keysWith(root, eve) }, [trust.signer]);
    const repo = born('coexistence').write('instructions/trust/1.json', trust.root.envelope);
    repo.commit('root', BIRTH + 60);
    file(repo, evidenceOf(), [by.signer]);
    if (with_ === 'evidence') repo.write('instructions/trust/2.json', second.envelope);
    repo.commit('evidence', BIRTH + 8 * DAY);
    inMode(repo, 'stigmem').write('instructions/trust/2.json', second.envelope);
    repo.commit('promote', BIRTH + 9 * DAY);
    return repo;
  }

  test('an administrator added by the move or by a later commit cannot sign its evidence', async () => {
    expect(await told(rooted('evidence', eve))).toEqual([]);
    expect(await told(rooted('promote', ann))).toEqual([]);
    const repo = rooted('promote', eve);
    expect(await told(repo)).toEqual(MISSING);
    repo.write('README.md', 'x\n').commit('later');
    expect(await told(repo)).toEqual(MISSING);
  });

  test('evidence remains valid after its administrator is removed', async () => {
    const repo = promoted();
    const { root } = trust.root;
    const left = nextRoot(trust.root, { admins: [bob.entity] }, [trust.signer]);
    repo.write('instructions/trust/1.json', trust.root.envelope).write('instructions/trust/2.json', left.envelope);
    repo.commit('Ann leaves', BIRTH + 20 * DAY);
    expect(root.admins).toContain(ann.entity);
    expect(await told(repo)).toEqual([]);
  });
});
