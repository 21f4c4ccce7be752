import { describe, expect, test } from 'vitest';
import { archive } from '../../compiler/continuity/archive.ts';
import { ARCHIVE_DAYS, list, summaryOf } from '../../compiler/continuity/list.ts';
import { fallbackPath } from '../../compiler/continuity/stored/paths.ts';
import type { SubjectFiles } from '../../compiler/continuity/stored/subject.ts';
import { CapsuleRow, ListAnswer, ListRequest } from '../../compiler/schema/continuity/list.ts';
import { ago, applied, NOW, OCCASION, stored, type Json } from './capsules.ts';

const DAY = 86_400;
const ask = (rows: readonly CapsuleRow[], more: object = {}, now = NOW) =>
  list(ListRequest.parse(more), rows, { now, archiveDays: ARCHIVE_DAYS });

/** The rows that an index has of a subject. */
function rowsOf(files: SubjectFiles): CapsuleRow[] {
  const all: [string, Buffer | null][] = [
    [files.path, files.active],
    [fallbackPath(files.path), files.fallback],
    ...files.archives,
  ];
  return all.flatMap(([path, bytes]) => (bytes ? [summaryOf(path, bytes)] : [])).filter((it) => it !== null);
}

const threadOf = (id: string, descriptor: Json = {}, more: Json = {}, state: Json = {}) =>
  rowsOf(stored({ subject_id: id, thread_descriptor: { label: id, ...descriptor }, ...more }, state));

const idsOf = (answer: ListAnswer) => answer.capsules.map((it) => it.subject_id);

describe('POST /v1/continuity/list', () => {
  test('a row has every field of the specification, and says nothing that depends on the time it was stored', () => {
    const rows = rowsOf(stored({ subject_kind: 'user', stable_preferences: [{ tag: 'tz', content: 'UTC' }] }));
    expect(rows.map((it) => CapsuleRow.safeParse(it).success)).toEqual([true, true]);
    const answer = ask(rows);
    expect(ListAnswer.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ ok: true, count: 1, content_kind: 'agent_authored' });
    expect(answer.capsules[0]).toMatchObject({
      artifact_state: 'active',
      retention_class: 'active',
      phase: 'fresh',
      stable_preference_count: 1,
      rationale_entry_count: 0,
    });
    expect(answer).not.toHaveProperty('salience_metadata');
  });

  test('rationale entries of every status are counted', () => {
    const entry = (tag: string, status: string) => ({ tag, status, kind: 'decision', summary: 's', reasoning: 'r' });
    const entries = [entry('a', 'active'), entry('b', 'superseded'), entry('c', 'retired')];
    expect(ask(rowsOf(stored({}, { rationale_entries: entries }))).capsules[0]?.rationale_entry_count).toBe(3);
  });

  test('fallbacks and archives come only when they are asked for; cold storage is accepted and empty', () => {
    const files = stored();
    const archived = applied(files, archive({ ...SUBJECT, reason: 'done' }, files, OCCASION));
    const rows = [...rowsOf(files), ...rowsOf(archived)];
    const states = (more: object) => ask(rows, more).capsules.map((it) => it.artifact_state);
    expect(states({})).toEqual(['active']);
    expect(states({ include_fallback: true })).toEqual(['active', 'fallback']);
    expect(states({ include_archived: true, include_fallback: true })).toEqual(['active', 'fallback', 'archived']);
    expect(states({ include_cold: true })).toEqual(['active']);
  });

  test('an archive is stale after the days of the setting, and not a second earlier', () => {
    const files = stored();
    const rows = rowsOf(applied(files, archive({ ...SUBJECT, reason: 'done' }, files, OCCASION)));
    const after = (seconds: number) =>
      ask(rows, { include_archived: true }, NOW + seconds * 1000).capsules[0]?.retention_class;
    expect([after(90 * DAY), after(90 * DAY + 1)]).toEqual(['archive_recent', 'archive_stale']);
  });

  test.each([
    ['lifecycle', { lifecycle: 'active' }],
    ['scope_anchor', { scope_anchor: 'repo-a' }],
    ['keyword', { keyword: 'git' }],
    ['keyword with white space', { keyword: ' git ' }],
    ['scope_anchor with white space', { scope_anchor: ' repo-a' }],
    ['label_exact', { label_exact: 'one' }],
    ['anchor_kind', { anchor_kind: 'issue' }],
    ['anchor_kind with anchor_value', { anchor_kind: 'issue', anchor_value: '7' }],
    ['all together', { keyword: 'git', scope_anchor: 'repo-a', anchor_kind: 'issue', lifecycle: 'active' }],
  ])('the filter %s finds what has it, and nothing else', (_name, more) => {
    const one = threadOf('one', {
      keywords: ['git'],
      scope_anchors: ['repo-a'],
      identity_anchors: [{ kind: 'issue', value: '7' }],
    });
    const two = threadOf('two', {
      lifecycle: 'suspended',
      identity_anchors: [{ kind: 'repo', value: '7' }],
    });
    expect(idsOf(ask([...one, ...two, ...rowsOf(stored({ subject_id: 'bare' }))], more))).toEqual(['one']);
  });

  test('kind and value of an anchor have to stand in one entry', () => {
    const anchors = {
      identity_anchors: [
        { kind: 'issue', value: '1' },
        { kind: 'repo', value: '7' },
      ],
    };
    expect(ask(threadOf('x', anchors), { anchor_kind: 'issue', anchor_value: '7' }).count).toBe(0);
  });

  test('anchor_value without anchor_kind is refused', () => {
    expect(ListRequest.safeParse({ anchor_value: '7' }).success).toBe(false);
  });

  test('rows come by kind, then id; 50 of them unless a limit says otherwise', () => {
    const [row] = rowsOf(stored());
    const rows = Array.from({ length: 60 }, (_, at) => ({ ...row!, subject_id: `t${String(at).padStart(2, '0')}` }));
    const answer = ask([...rows].reverse());
    expect(answer.count).toBe(50);
    expect(idsOf(answer)).toEqual([...idsOf(answer)].sort());
    expect(ask(rows, { limit: 3 }).count).toBe(3);
  });

  test('what holds no capsule has no row: it is neither listed nor an error', () => {
    expect(summaryOf('memory/continuity/thread-x.json', Buffer.from('{}'))).toBeNull();
    expect(summaryOf('README.md', Buffer.from('text'))).toBeNull();
    expect(summaryOf('memory/continuity/other/x.json', stored().active!)).toBeNull();
  });
});

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
    const answer = ask([...bare, ...rows].reverse(), { sort: 'salience' });
    expect(idsOf(answer)).toEqual([...LADDER.map(([id]) => id), 'bare']);
  });

  test('ranks begin with 0, and each block has the ranks in their natural direction', () => {
    const answer = ask(rows, { sort: 'salience', limit: 4 });
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
    expect(ask([row!], { sort: 'salience' }).capsules[0]?.salience?.sort_key).toMatchObject({
      lifecycle_rank: 4,
      verification_rank: 0,
    });
  });

  test('salience_metadata sums the result up; it is null of an empty one', () => {
    expect(ask(rows, { sort: 'salience' }).salience_metadata).toEqual({
      sort_applied: true,
      capsule_count: 11,
      best_lifecycle_rank: 0,
      worst_health_rank: 2,
      worst_freshness_rank: 1,
      all_resume_adequate: false,
    });
    expect(ask([], { sort: 'salience' }).salience_metadata).toBeNull();
  });

  test('a capsule without a readable time is older than all others', () => {
    const [row] = rowsOf(stored({ subject_id: 'a' }));
    const rest = [
      { ...row!, updated_at: '?' },
      { ...row!, subject_id: 'b', updated_at: ago(9 * DAY) },
    ];
    const answer = ask(rest, { sort: 'salience' });
    expect(idsOf(answer)).toEqual(['b', 'a']);
    expect(answer.capsules[1]?.salience?.sort_key.updated_age_seconds).toBeNull();
  });

  test('the order is total: it does not depend on the order of the rows, archives of one subject included', () => {
    const files = stored();
    const once = applied(files, archive({ ...SUBJECT, reason: 'one' }, files, OCCASION));
    const again = { ...once, active: files.active };
    const twice = applied(again, archive({ ...SUBJECT, reason: 'two' }, again, OCCASION));
    const all = [...rowsOf(files), ...rowsOf(twice)];
    const pathsOf = (given: CapsuleRow[]) =>
      ask(given, { sort: 'salience', include_archived: true, include_fallback: true }).capsules.map((it) => it.path);
    expect(pathsOf(all)).toEqual(pathsOf([...all].reverse()));
    expect(new Set(pathsOf(all)).size).toBe(4);
  });
});

const SUBJECT = { subject_kind: 'thread' as const, subject_id: 'store' };
