import { describe, expect, test } from 'vitest';
import { archive } from '../../../compiler/continuity/archive.ts';
import { summaryOf } from '../../../compiler/continuity/list.ts';
import { patch } from '../../../compiler/continuity/patch.ts';
import { PatchRequest } from '../../../compiler/continuity/schema/patch.ts';
import { loadActive, loadArchive, loadFallback, type Loaded } from '../../../compiler/continuity/stored/load.ts';
import { fallbackPath } from '../../../compiler/continuity/stored/paths.ts';
import { upsert } from '../../../compiler/continuity/upsert.ts';
import {
  ago,
  applied,
  capsuleOf,
  jsonOf,
  noFiles,
  OCCASION,
  stored,
  STATE,
  upsertOf,
  without,
  type Json,
} from '../capsules.ts';

const bytesOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const SUBJECT = { subject_kind: 'thread' as const, subject_id: 'store' };
const files = stored();
const envelopeOf = (capsule: unknown) => {
  const { writes, answer } = archive({ ...SUBJECT, reason: 'done' }, files, OCCASION);
  return bytesOf({ ...jsonOf(writes.get(answer.archive_path)), capsule });
};

/** The three places where a capsule may lie, and how each is read. */
const PLACES: [string, (capsule: unknown) => Loaded<unknown>][] = [
  ['active', (it) => loadActive(files.path, bytesOf(it))],
  ['fallback', (it) => loadFallback(files.path, bytesOf({ ...jsonOf(files.fallback), capsule: it }))],
  ['archive', (it) => loadArchive(envelopeOf(it))],
];

/** A capsule of the first release whose form is that of today, but for times. */
const LEGACY = {
  ...without(capsuleOf(), 'updated_at', 'verified_at'),
  schema_version: '1.0',
  updated_at: '2025-02-03 04:05:06',
  verified_at: '2025-02-03T05:05:06+01:00',
  stable_preferences: [],
  continuity: {
    ...STATE,
    negative_decisions: [{ decision: 'a', rationale: 'b', set_at: '2025-01-01T00:00:00Z' }],
    rationale_entries: [{ tag: 'x', kind: 'tension', status: 'active', summary: 's', reasoning: 'r' }],
  },
};

describe('persisted legacy compatibility', () => {
  test.each(PLACES)('a stabilised capsule of version 1.0 is upgraded when it is loaded: %s', (_place, load) => {
    const loaded = load(LEGACY);
    if (!loaded.ok) throw new Error(loaded.reason);
    const capsule = (loaded.value as { capsule?: unknown }).capsule ?? loaded.value;
    expect(capsule).toMatchObject({
      schema_version: '1.1',
      updated_at: '2025-02-03T04:05:06Z',
      verified_at: '2025-02-03T04:05:06Z',
      continuity: {
        negative_decisions: [{ decision: 'a', created_at: '2025-01-01T00:00:00Z', updated_at: '2025-01-01T00:00:00Z' }],
        rationale_entries: [{ tag: 'x', created_at: '2025-02-03T04:05:06Z', updated_at: '2025-02-03T04:05:06Z' }],
      },
    });
    expect(JSON.stringify(capsule)).not.toContain('set_at');
  });

  test('every time of an older release is repaired, not only the two of the capsule', () => {
    const loaded = loadActive(
      files.path,
      bytesOf({
        ...LEGACY,
        freshness: { expires_at: '2027-02-03 04:05:06' },
        verification_state: {
          status: 'unverified',
          strongest_signal: 'self_review',
          last_revalidated_at: '2025-02-03T04:05:06',
        },
        capsule_health: { status: 'healthy', last_checked_at: '2025-02-03T05:05:06+01:00' },
      }),
    );
    expect(loaded).toMatchObject({
      ok: true,
      value: {
        freshness: { expires_at: '2027-02-03T04:05:06Z' },
        verification_state: { last_revalidated_at: '2025-02-03T04:05:06Z' },
        capsule_health: { last_checked_at: '2025-02-03T04:05:06Z' },
      },
    });
  });

  const INCOMPLETE: [string, Json][] = [
    ...['updated_at', 'verified_at', 'source', 'confidence', 'continuity'].map((name): [string, Json] => [
      name,
      without(LEGACY, name),
    ]),
    ...Object.keys(STATE).map((name): [string, Json] => [
      name,
      { ...LEGACY, continuity: without(LEGACY.continuity, name) },
    ]),
  ];
  const everywhere = INCOMPLETE.flatMap(([name, capsule]) =>
    PLACES.map(([place, load]) => [name, place, capsule, load] as const),
  );

  test.each(everywhere)(
    'a payload without %s is not migrated, and refused alike: %s',
    (_name, _place, capsule, load) => {
      const loaded = load(capsule);
      expect(loaded.ok).toBe(false);
      expect(loaded).toMatchObject({ reason: expect.stringContaining('invalid legacy state') as string });
    },
  );

  test('a legacy capsule can be listed, patched, and stored again in its new form', () => {
    const old = { ...files, active: bytesOf(LEGACY) };
    expect(summaryOf(files.path, old.active)).toMatchObject({ updated_at: '2025-02-03T04:05:06Z' });
    const operations = [{ target: 'continuity.open_loops', action: 'append', value: 'x' }];
    const request = PatchRequest.parse({ ...SUBJECT, updated_at: ago(0), operations });
    expect(jsonOf(applied(old, patch(request, old, OCCASION)).active)).toMatchObject({ schema_version: '1.1' });
  });
});

describe('the fallback snapshot', () => {
  test('it holds the capsule that was just written, with its path, health and verification', () => {
    expect(jsonOf(files.fallback)).toEqual({
      schema_type: 'continuity_fallback_snapshot',
      schema_version: '1.0',
      captured_at: ago(0),
      source_path: files.path,
      verification_status: 'unverified',
      health_status: 'healthy',
      capsule: jsonOf(files.active),
    });
  });

  test('one that cannot be made is a warning: the capsule is written all the same, and the old fallback stays', () => {
    const broken = () => {
      throw new Error('provoked');
    };
    const change = upsert(upsertOf(capsuleOf({ updated_at: ago(0) })), files, OCCASION, broken);
    expect(change.answer.recovery_warnings).toEqual(['continuity_fallback_write_failed']);
    expect([...change.writes.keys()]).toEqual([files.path]);
    expect(applied(files, change).fallback).toEqual(files.fallback);
    expect(fallbackPath(noFiles().path)).toBe('memory/continuity/fallback/thread-store.json');
  });
});
