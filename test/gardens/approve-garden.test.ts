import { describe, expect, test } from 'vitest';
import { use } from '../../compiler/gardens/approvals/use-filed.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { ADA, ANN, approval, approved, BOB, written } from './approvals/claimed-unit.ts';

const [SOON, LATER] = ['2026-06-01T00:00:00Z', '2026-07-01T00:00:00Z'];
const guaranteed = written('guarantee_load: true');
const first = written('force_position: prepend');
const woken = written('required_by_task_types: [manual, issue_assigned, routine_fired]');
const path = (name: string) => `approvals/${sha256(name)}.json`;

describe('DESIGN §7 the approvals that a garden carries', () => {
  test('name who approved, who wrote, the notes and the first expiry, with the envelopes that prove them', () => {
    const filed = [
      approval(first, 'one', { note: 'read', expires: LATER }, BOB),
      approval(first, 'two', { note: 'harmless', expires: SOON }, ANN),
    ];
    const joint = { ...first, fact: { ...first.fact, coauthored_by: ['acme/agent/aid'], signed_by: 'key' } };
    const { used, files, faults } = approved([joint], filed);
    expect(faults).toEqual([]);
    expect(used).toEqual([
      {
        ...{ unit: 'limits', kind: 'force_position', by: [ANN, BOB], authors: ['acme/agent/aid', ADA] },
        ...{ note: 'read\nharmless', expires: SOON, files: [path('one'), path('two')].sort() },
      },
    ]);
    expect(files).toEqual(new Map(filed.map(({ bytes }) => [path(bytes.toString()), bytes])));
  });

  test('have neither note nor expiry where nobody gave one, and say where no signature proves the authors', () => {
    const { used } = approved([guaranteed], [approval(guaranteed, 'one', {}, ANN)]);
    expect(used).toEqual([
      {
        ...{ unit: 'limits', kind: 'guarantee_load', by: [ANN], authors: [ADA], unproven: true },
        ...{ note: null, expires: null, files: [path('one')] },
      },
    ]);
  });

  test('have the note and the expiry of those who gave one', () => {
    const filed = [
      approval(guaranteed, 'one', {}, BOB),
      approval(guaranteed, 'two', { note: 'read', expires: SOON }, ANN),
    ];
    expect(approved([guaranteed], filed).used).toMatchObject([{ note: 'read', expires: SOON }]);
  });

  test('list their files in order, whatever the order of the approvals', () => {
    const names = ['a', 'b', 'c', 'd'].map((name) => approval(guaranteed, name, {}, ANN));
    const sorted = names.map(({ bytes }) => path(bytes.toString())).sort();
    for (const given of [names, [...names].reverse()]) {
      expect(use(guaranteed.claim, [ANN], given, new Map()).files).toEqual(sorted);
    }
  });

  test('are none for a unit that needs none', () => {
    const plain = {
      ...guaranteed,
      fact: { ...guaranteed.fact, delivery: { ...first.fact.delivery, force_position: 'append' as const } },
    };
    expect(approved([plain], [])).toEqual({ used: [], files: new Map(), faults: [] });
  });
});

describe('DESIGN §7 a unit that lacks its approval', () => {
  test.each([
    ['guarantee_approval_required', guaranteed],
    ['position_approval_required', first],
    ['task_types_approval_required', woken],
  ] as const)('is told by the rule %s, at the line that asks for it', (rule, of) => {
    const { used, files, faults } = approved([of], []);
    expect([used, files.size]).toEqual([[], 0]);
    expect(faults).toMatchObject([{ rule, file: of.unit.file, severity: 'error', line: 3 }]);
  });

  test('is a warning in development', () => {
    const { faults } = approved([guaranteed], [], {}, { development: true });
    expect(faults.map((it) => it.severity)).toEqual(['warning']);
  });

  test('is told what the signing command needs: a note for a unit that comes first, for no other', () => {
    const needsNote = [guaranteed, first, woken].map((of) => approved([of], []).faults[0]?.help.includes('--note'));
    expect(needsNote).toEqual([false, true, false]);
  });

  test('is told so where missing signatures of commits ask for more administrators, and only there', () => {
    const filed = [approval(guaranteed, 'one', {}, ANN)];
    const told = (over: { threshold?: number; unproven?: number }, signed_by?: string) => {
      const of = signed_by === undefined ? guaranteed : written('guarantee_load: true', { signed_by });
      return approved([of], filed, over).faults.map((it) => it.message);
    };
    const [unproven, proven] = [told({ unproven: 2 }), told({ threshold: 2, unproven: 2 })];
    expect([unproven.length, proven.length]).toEqual([1, 1]);
    expect(unproven).not.toEqual(proven);
    expect(told({ threshold: 2, unproven: 3 }, 'key')).toEqual(proven);
    expect(told({ unproven: 2 }, 'key')).toEqual([]);
  });

  test('does not stop the other units', () => {
    const { used, faults } = approved([first, guaranteed], [approval(guaranteed, 'one', {}, ANN)]);
    expect([used.map((it) => it.kind), faults.map((it) => it.rule)]).toEqual([
      ['guarantee_load'],
      ['position_approval_required'],
    ]);
  });
});

describe('§21.6.1 a unit with a legacy file', () => {
  const fallback = { path: 'docs/limits.md', digest: sha256('Never.\n'), tokens: 2 };
  const legacy = written('guarantee_load: true', { fallback });
  const commits = [{ changes: [{ path: fallback.path, blob: 'x' }] }] as never;
  const context = (writer: string) => ({
    commits,
    attribute: () => ({ writers: [writer], authored: 0, vouch: undefined }),
    blob: () => Buffer.from('Never.\n'),
  });

  test('needs an approval of both, by nobody who wrote the file', () => {
    const filed = [approval(legacy, 'one', {}, ANN)];
    expect(approved([legacy], filed, {}, context(BOB)).used).toMatchObject([{ by: [ANN], authors: [ADA, BOB] }]);
    expect(approved([legacy], filed, {}, context(ANN)).used).toEqual([]);
    expect(approved([legacy], [approval(guaranteed, 'one', {}, ANN)], {}, context(BOB)).used).toEqual([]);
  });
});

describe('an approval that no unit needs', () => {
  const lapsed = (...units: Parameters<typeof approved>[0]) => {
    const filed = [
      approval(guaranteed, 'needed', {}, ANN),
      approval(guaranteed, 'unit', { unit: 'wrap-up' }, ANN),
      approval(guaranteed, 'kind', { kind: 'task_types' }, ANN),
      approval(guaranteed, 'garden', { garden: 'ops' }, ANN),
      approval(guaranteed, 'whole', { unit: null }, ANN),
    ];
    return approved(units, filed).faults.map(({ rule, file }) => [rule, file]);
  };

  test('is told by its file, where it is of the garden and of a unit', () => {
    const both = [
      ['approval_lapsed', 'approvals/unit.json'],
      ['approval_lapsed', 'approvals/kind.json'],
    ];
    expect(lapsed(guaranteed)).toEqual(both);
    expect(lapsed()).toEqual([['approval_lapsed', 'approvals/needed.json'], ...both]);
  });
});
