import { describe, expect, test } from 'vitest';
import { archive } from '../../compiler/continuity/archive.ts';
import { listedIn, summaryOf } from '../../compiler/continuity/list.ts';
import { CapsuleRow, ListAnswer, ListRequest } from '../../compiler/continuity/schema/list.ts';
import { ago, applied, NOW, OCCASION, stored } from './capsules.ts';
import { DAY, idsOf, listed, rowsOf, threadOf } from './listing.ts';

describe('POST /v1/continuity/list', () => {
  test('a row has every field of the specification, and says nothing that depends on the time it was stored', () => {
    const rows = rowsOf(stored({ subject_kind: 'user', stable_preferences: [{ tag: 'tz', content: 'UTC' }] }));
    expect(rows.map((it) => CapsuleRow.safeParse(it).success)).toEqual([true, true]);
    const answer = listed(rows);
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

  test('a file without a row is told as one that cannot be read, where its place tells a capsule', () => {
    const files = stored();
    const row = { path: files.path, summary: summaryOf(files.path, files.active!), holder: null };
    const broken = { path: 'memory/continuity/thread-broken.json', summary: null, holder: null };
    const { rows, unreadable } = listedIn([row, broken]);
    expect(rows).toEqual([row.summary]);
    expect(unreadable.map((it) => it.path)).toEqual([broken.path]);
  });

  test('subject_kind keeps the rows of that kind alone', () => {
    const rows = [...threadOf('a'), ...rowsOf(stored({ subject_kind: 'user', subject_id: 'b' }))];
    const found = ['user', 'task', undefined, null].map((subject_kind) => idsOf(listed(rows, { subject_kind })));
    expect(found).toEqual([['b'], [], ['a', 'b'], ['a', 'b']]);
  });

  test('a row has the class and the phase of its freshness, and how it was verified', () => {
    const freshness = { freshness_class: 'ephemeral', stale_after_seconds: 300 };
    const rows = rowsOf(stored({ freshness, verification_kind: 'system_check', verified_at: ago(301) }));
    expect(listed(rows).capsules[0]).toMatchObject({
      freshness_class: 'ephemeral',
      phase: 'stale_soft',
      verification_kind: 'system_check',
    });
  });

  test('rationale entries of every status are counted', () => {
    const entry = (tag: string, status: string) => ({ tag, status, kind: 'decision', summary: 's', reasoning: 'r' });
    const entries = [entry('a', 'active'), entry('b', 'superseded'), entry('c', 'retired')];
    expect(listed(rowsOf(stored({}, { rationale_entries: entries }))).capsules[0]?.rationale_entry_count).toBe(3);
  });

  test('fallbacks and archives come only when they are asked for; cold storage is accepted and empty', () => {
    const files = stored();
    const archived = applied(files, archive({ ...SUBJECT, reason: 'done' }, files, OCCASION));
    const rows = [...rowsOf(files), ...rowsOf(archived)];
    const states = (more: object) => listed(rows, more).capsules.map((it) => it.artifact_state);
    expect(states({})).toEqual(['active']);
    expect(states({ include_fallback: true })).toEqual(['active', 'fallback']);
    expect(states({ include_archived: true, include_fallback: true })).toEqual(['active', 'fallback', 'archived']);
    expect(states({ include_cold: true })).toEqual(['active']);
  });

  test('an archive is stale after the days of the setting, and not a second earlier', () => {
    const files = stored();
    const rows = rowsOf(applied(files, archive({ ...SUBJECT, reason: 'done' }, files, OCCASION)));
    const after = (seconds: number) =>
      listed(rows, { include_archived: true }, NOW + seconds * 1000).capsules[0]?.retention_class;
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
    expect(idsOf(listed([...one, ...two, ...rowsOf(stored({ subject_id: 'bare' }))], more))).toEqual(['one']);
  });

  test('kind and value of an anchor have to stand in one entry', () => {
    const anchors = {
      identity_anchors: [
        { kind: 'issue', value: '1' },
        { kind: 'repo', value: '7' },
      ],
    };
    expect(listed(threadOf('x', anchors), { anchor_kind: 'issue', anchor_value: '7' }).count).toBe(0);
  });

  test('anchor_value without anchor_kind is refused', () => {
    expect(ListRequest.safeParse({ anchor_value: '7' }).success).toBe(false);
  });

  test('rows come by kind, then id; 50 of them unless a limit says otherwise', () => {
    const [row] = rowsOf(stored());
    const rows = Array.from({ length: 60 }, (_, at) => ({ ...row!, subject_id: `t${String(at).padStart(2, '0')}` }));
    const answer = listed([...rows].reverse());
    expect(answer.count).toBe(50);
    expect(idsOf(answer)).toEqual([...idsOf(answer)].sort());
    expect(listed(rows, { limit: 3 }).count).toBe(3);
  });

  test('what holds no capsule has no row: it is neither listed nor an error', () => {
    expect(summaryOf('memory/continuity/thread-x.json', Buffer.from('{}'))).toBeNull();
    expect(summaryOf('README.md', Buffer.from('text'))).toBeNull();
    expect(summaryOf('memory/continuity/other/x.json', stored().active!)).toBeNull();
  });
});

const SUBJECT = { subject_kind: 'thread' as const, subject_id: 'store' };
