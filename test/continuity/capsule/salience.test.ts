import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CapsuleRow } from '../../../compiler/continuity/schema/list.ts';
import { ago, stored, type Json } from '../capsules.ts';
import { DAY, idsOf, listed, rowsOf, threadOf } from '../listing.ts';

describe('sort="salience"', () => {
  const base = { thread: { lifecycle: 'active' } };
  const verified = (strongest_signal: string) => ({
    verification_state: { status: 'self_attested', last_revalidated_at: ago(9), strongest_signal },
  });
  const health = (status: string) => ({ capsule_health: { status, last_checked_at: ago(9) } });
  const stale = { verified_at: ago(11 * DAY), freshness: { stale_after_seconds: 10 * DAY } };

  /** From the most to the least salient, each worse than the one before by one signal of a lower priority first. */
  const LADDER: [string, Json, Json, Json][] = [
    ['best', base.thread, verified('system_check'), {}],
    ['older', base.thread, { ...verified('system_check'), updated_at: ago(600) }, {}],
    ['user', base.thread, verified('user_confirmation'), {}],
    ['self', base.thread, {}, {}],
    ['inadequate', base.thread, verified('system_check'), { open_loops: [] }],
    ['stale', base.thread, { ...verified('system_check'), ...stale }, {}],
    ['degraded', base.thread, { ...verified('system_check'), ...health('degraded') }, {}],
    ['conflicted', base.thread, { ...verified('system_check'), ...health('conflicted') }, {}],
    ['suspended', { lifecycle: 'suspended' }, verified('system_check'), {}],
    ['concluded', { lifecycle: 'concluded' }, verified('system_check'), {}],
    ['superseded', { lifecycle: 'superseded', superseded_by: 'best' }, verified('system_check'), {}],
  ];
  const rows = LADDER.flatMap(([id, descriptor, more, state]) => threadOf(id, descriptor, more, state));
  const bare = rowsOf(stored({ subject_id: 'bare', ...verified('system_check') }));

  test('each signal decides before all that come after it; a capsule without a descriptor comes last', () => {
    const answer = listed([...bare, ...rows].reverse(), { sort: 'salience' });
    expect(idsOf(answer)).toEqual([...LADDER.map(([id]) => id), 'bare']);
  });

  test('ranks begin with 0, and each block has the ranks in their natural direction', () => {
    const answer = listed(rows, { sort: 'salience', limit: 4 });
    expect(answer.capsules.map((it) => it.salience?.rank)).toEqual([0, 1, 2, 3]);
    expect(answer.capsules[2]?.salience).toEqual({
      rank: 2,
      sort_key: {
        lifecycle_rank: 0,
        health_rank: 0,
        freshness_rank: 0,
        resume_adequate: true,
        verification_rank: 3,
        updated_age_seconds: 60,
      },
    });
  });

  test('a capsule without a descriptor has the lifecycle rank 4, one that nothing verified the verification rank 0', () => {
    const [row] = rowsOf(stored());
    expect(listed([row!], { sort: 'salience' }).capsules[0]?.salience?.sort_key).toMatchObject({
      lifecycle_rank: 4,
      verification_rank: 0,
    });
  });

  test('salience_metadata sums the result up; it is null of an empty one', () => {
    expect(listed(rows, { sort: 'salience' }).salience_metadata).toEqual({
      sort_applied: true,
      capsule_count: 11,
      best_lifecycle_rank: 0,
      worst_health_rank: 2,
      worst_freshness_rank: 1,
      all_resume_adequate: false,
    });
    expect(listed([], { sort: 'salience' }).salience_metadata).toBeNull();
  });

  test('a capsule without a readable time is older than all others', () => {
    const [row] = rowsOf(stored({ subject_id: 'a' }));
    const rest = [
      { ...row!, updated_at: '?' },
      { ...row!, subject_id: 'b', updated_at: ago(9 * DAY) },
    ];
    const answer = listed(rest, { sort: 'salience' });
    expect(idsOf(answer)).toEqual(['b', 'a']);
    expect(answer.capsules[1]?.salience?.sort_key.updated_age_seconds).toBeNull();
  });
});

describe('property: the order of salience', () => {
  const [row] = rowsOf(stored());
  const time = fc.constantFrom('?', ...[0, 60, 61, 40 * DAY, 90 * DAY].map(ago));
  const lifecycle = fc.constantFrom(null, 'active', 'suspended', 'concluded', 'superseded');
  const anyRow = fc
    .record({
      subject_kind: fc.constantFrom('user', 'peer', 'thread', 'task'),
      subject_id: fc.constantFrom('a', 'b', 'B', 'é', '🌱', '＠'),
      path: fc.constantFrom('one', 'two', 'three'),
      artifact_state: fc.constantFrom('active', 'fallback', 'archived'),
      updated_at: time,
      verified_at: time,
      health_status: fc.constantFrom('healthy', 'degraded', 'conflicted'),
      strongest_signal: fc.constantFrom(null, 'self_review', 'user_confirmation', 'system_check'),
      resume_adequate: fc.boolean(),
      thread_descriptor: lifecycle.map((it) => it && { ...DESCRIPTOR, lifecycle: it }),
    })
    .map((more) => ({ ...row, ...more }) as CapsuleRow);
  const nameOf = (it: Pick<CapsuleRow, 'subject_kind' | 'subject_id' | 'artifact_state' | 'path'>) =>
    [it.subject_kind, it.subject_id, it.artifact_state, it.path].join(' ');
  const rows = fc.uniqueArray(anyRow, { selector: nameOf, maxLength: 12 });
  const sorted = (given: CapsuleRow[]) =>
    listed(given, { sort: 'salience', include_archived: true, include_fallback: true }).capsules;

  test('it is total: any order of the rows comes to the same one', () => {
    const shuffled = rows.chain((it) => fc.tuple(fc.constant(it), fc.shuffledSubarray(it, { minLength: it.length })));
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        expect(sorted(other).map(nameOf)).toEqual(sorted(one).map(nameOf));
      }),
    );
  });
});

const DESCRIPTOR = { label: 'x', keywords: [], scope_anchors: [], identity_anchors: [] };
