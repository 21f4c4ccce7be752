import { describe, expect, test } from 'vitest';
import { upsert } from '../../compiler/continuity/upsert.ts';
import { canonicalJson } from '../../compiler/trust/canonical.ts';
import { ago, applied, capsuleOf, jsonOf, noFiles, NOW, OCCASION, refused, stored, upsertOf } from './capsules.ts';
import { richOf } from './rich.ts';

describe('POST /v1/continuity/upsert', () => {
  test('a first capsule is created: the active file and its fallback come in one change', () => {
    const { writes, answer, message } = upsert(upsertOf(capsuleOf()), noFiles(), OCCASION);
    expect([...writes.keys()]).toEqual([
      'memory/continuity/thread-store.json',
      'memory/continuity/fallback/thread-store.json',
    ]);
    expect(answer).toMatchObject({ ok: true, created: true, updated: false, durable: true, recovery_warnings: [] });
    expect(message).toBe('continuity: upsert thread store');
  });

  test('both files are canonical JSON, so that the same capsule has the same bytes', () => {
    const { writes } = upsert(upsertOf(richOf('thread', 'store')), noFiles(), OCCASION);
    const texts = [...writes.values()].map(String);
    expect(texts).toEqual(texts.map((it) => canonicalJson(JSON.parse(it))));
  });

  test('absent optional fields have the defaults of the specification', () => {
    expect(jsonOf(stored().active)).toMatchObject({
      schema_version: '1.1',
      canonical_sources: [],
      metadata: {},
      stable_preferences: [],
      source: { inputs: [] },
      continuity: { working_hypotheses: [], negative_decisions: [], rationale_entries: [], curiosity_queue: [] },
    });
    expect(jsonOf(stored().active)['continuity']).not.toHaveProperty('related_documents');
  });

  test('the same capsule again changes nothing and is no error', () => {
    const files = stored();
    const { writes, answer } = upsert(upsertOf(capsuleOf()), files, { ...OCCASION, now: NOW + 9000 });
    expect([...writes]).toEqual([]);
    expect(answer).toMatchObject({ created: false, updated: false });
  });

  test.each([
    ['as old as', 60],
    ['older than', 61],
  ])('another capsule that is %s the stored one is stale', (_words, seconds) => {
    const other = capsuleOf({ updated_at: ago(seconds) }, { open_loops: ['another'] });
    refused('capsule_stale', () => upsert(upsertOf(other), stored(), OCCASION));
  });

  test('a newer capsule replaces the stored one, whole', () => {
    const files = stored({}, { trailing_notes: ['gone soon'] });
    const next = upsert(upsertOf(capsuleOf({ updated_at: ago(0) })), files, OCCASION);
    expect(next.answer).toMatchObject({ created: false, updated: true });
    expect(jsonOf(applied(files, next).active)['continuity']).toMatchObject({ trailing_notes: [] });
  });
});
