import { describe, expect, test } from 'vitest';
import { archive } from '../../../compiler/continuity/archive.ts';
import { CAPSULE_BYTES } from '../../../compiler/continuity/schema/limits.ts';
import { loadActive, loadArchive, loadFallback, type Loaded } from '../../../compiler/continuity/stored/load.ts';
import { ago, capsuleOf, jsonOf, OCCASION, stored, STATE, without, type Json } from '../capsules.ts';

const PATH = 'memory/continuity/thread-store.json';

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const files = stored();
const archived = (() => {
  const { writes, answer } = archive({ subject_kind: 'thread', subject_id: 'store', reason: 'done' }, files, OCCASION);
  return jsonOf(writes.get(answer.archive_path));
})();

const reasonOf = (loaded: Loaded<unknown>) => (loaded.ok ? 'it was read' : loaded.reason);

/** A capsule as it is read, with what was stored for it changed. */
function read(more: Json, state: Json = {}) {
  const capsule = capsuleOf(more, state);
  const path = `memory/continuity/${capsule.subject_kind}-${capsule.subject_id}.json`;
  const loaded = loadActive(path, bytesOf(capsule));
  if (!loaded.ok) throw new Error(loaded.reason);
  return loaded.value;
}

describe('what lies in a store and is no capsule', () => {
  test.each([
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"capsule"'],
    ['a number', '1'],
    ['half a file', '{"subject_kind"'],
    ['nothing', ''],
    ['no text', Buffer.from([0xff, 0xfe])],
    ['50,000 open lists', '['.repeat(50_000)],
    ['another version', '{"schema_version":"9.0"}'],
  ])('%s is invalid in every place, and nothing is thrown', (_, content) => {
    const bytes = Buffer.from(content);
    const all = [loadActive(PATH, bytes), loadFallback(PATH, bytes), loadArchive(bytes)];
    expect(all.map((it) => it.ok)).toEqual([false, false, false]);
  });

  test('a file of eight times the cap is read, and one byte more is not', () => {
    const padded = (bytes: number) => Buffer.from(JSON.stringify(capsuleOf()).padEnd(bytes, ' '));
    expect(loadActive(PATH, padded(8 * CAPSULE_BYTES)).ok).toBe(true);
    expect(reasonOf(loadActive(PATH, padded(8 * CAPSULE_BYTES + 1)))).toContain('bytes');
  });

  test('what is invalid is named by its place in the file', () => {
    const { continuity } = capsuleOf();
    const broken = { ...capsuleOf(), continuity: { ...continuity, open_loops: ['x', 7] } };
    expect(reasonOf(loadActive(PATH, bytesOf(broken)))).toBe('invalid legacy state at continuity.open_loops.1');
    const envelope = { ...archived, archived_at: 7, archived_by: 7 };
    expect(reasonOf(loadArchive(bytesOf(envelope)))).toBe('invalid envelope at archived_at');
    expect(reasonOf(loadFallback(PATH, bytesOf(without(jsonOf(files.fallback), 'source_path'))))).toContain(
      'source_path',
    );
    expect(reasonOf(loadFallback(PATH, null))).toBe('there is none');
  });
});

describe('"timestamp repair or structured-entry field upgrade", and nothing else', () => {
  test.each([
    ['2026-11-23 10:00:00', '2026-11-23T10:00:00Z'],
    [' 2026-11-23T10:00:00 ', '2026-11-23T10:00:00Z'],
    ['2026-11-23T10:00:00.900', '2026-11-23T10:00:00Z'],
    ['2026-11-23T10:00:00-0230', '2026-11-23T12:30:00Z'],
    ['2026-11-23T10:00:00+00:00', '2026-11-23T10:00:00+00:00'],
    ['yesterday', 'yesterday'],
  ])('the time %j is read as %j', (stored_at, time) => {
    expect(read({ updated_at: stored_at }).updated_at).toBe(time);
  });

  test('entries get Z for their zone, the times of the capsule for what they lack, and keep their confirmation', () => {
    const updated_at = '2026-11-20T10:00:00Z';
    const entry = { tag: 't', content: 'c', created_at: '2026-11-01T10:00:00+00:00' };
    const preferences = [
      { ...entry, last_confirmed_at: '2026-11-02 10:00:00' },
      { tag: 'u', content: 'c', set_at: '2026-11-03T10:00:00', last_confirmed_at: 'never' },
    ];
    const user = { subject_kind: 'user', subject_id: 'ann', updated_at, stable_preferences: preferences };
    expect(read(user).stable_preferences).toEqual([
      {
        tag: 't',
        content: 'c',
        created_at: '2026-11-01T10:00:00Z',
        updated_at,
        last_confirmed_at: '2026-11-02T10:00:00Z',
      },
      { tag: 'u', content: 'c', created_at: '2026-11-03T10:00:00Z', updated_at: '2026-11-03T10:00:00Z' },
    ]);
  });

  test('a capsule without a version is one of 1.0; one of an unknown version is invalid', () => {
    expect(read(without(capsuleOf(), 'schema_version')).schema_version).toBe('1.1');
    expect(loadActive(PATH, bytesOf(capsuleOf({ schema_version: '0.9' }))).ok).toBe(false);
    expect(loadActive(PATH, bytesOf(capsuleOf({ schema_version: '2.0' }))).ok).toBe(false);
  });

  test('an entry that is none makes the capsule invalid', () => {
    for (const entry of ['text', null, 7, []]) {
      const capsule = capsuleOf({}, { ...STATE, negative_decisions: [entry] });
      expect([entry, loadActive(PATH, bytesOf(capsule)).ok]).toEqual([entry, false]);
    }
  });

  test('null says the same as absent, and what the form does not know is refused', () => {
    expect(read({ freshness: null, verified_at: ago(5) }).freshness).toBeUndefined();
    expect(loadActive(PATH, bytesOf(capsuleOf({ colour: 'red' }))).ok).toBe(false);
  });
});
