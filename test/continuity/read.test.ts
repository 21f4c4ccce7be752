import { describe, expect, test } from 'vitest';
import { read } from '../../compiler/continuity/read.ts';
import { ReadAnswer, ReadRequest } from '../../compiler/continuity/schema/reading/read.ts';
import type { SubjectFiles } from '../../compiler/continuity/stored/subject.ts';
import { ago, jsonOf, noFiles, NOW, refused, stored, without } from './capsules.ts';

const SUBJECT = { subject_kind: 'thread', subject_id: 'store' };
const ask = (files: SubjectFiles, more: object = {}) =>
  read(ReadRequest.parse({ ...SUBJECT, ...more }), files, { now: NOW });

const BROKEN = Buffer.from('{"schema_version": "1.1"');
const RATIONALE = { kind: 'decision', summary: 's', reasoning: 'r' };

describe('POST /v1/continuity/read', () => {
  test('an active capsule is answered as it was stored, with its trust signals', () => {
    const files = stored();
    const answer = ask(files);
    expect(answer).toMatchObject({ ok: true, archived: false, source_state: 'active', recovery_warnings: [] });
    expect(answer.capsule).toEqual(jsonOf(files.active));
    expect(answer.content_kind).toBe('agent_authored');
    expect(answer).not.toHaveProperty('startup_summary');
    expect(() => ReadAnswer.parse(answer)).not.toThrow();
  });

  test('without allow_fallback a missing capsule is an error, and so is one that cannot be read', () => {
    refused('capsule_not_found', () => ask(noFiles()));
    refused('capsule_not_found', () => ask({ ...stored(), active: null }));
    refused('capsule_damaged', () => ask({ ...stored(), active: BROKEN }));
  });

  test('allow_fallback changes nothing where the active capsule can be read', () => {
    expect(ask(stored(), { allow_fallback: true })).toEqual(ask(stored()));
  });

  test.each([
    ['missing', null, 'continuity_active_missing'],
    ['invalid', BROKEN, 'continuity_active_invalid'],
  ])('with it a capsule that is %s degrades to the fallback, and says so', (_state, active, warning) => {
    const files = { ...stored(), active };
    const answer = ask(files, { allow_fallback: true });
    expect(answer.recovery_warnings).toEqual([warning, 'continuity_fallback_used']);
    expect(answer).toMatchObject({ source_state: 'fallback', path: 'memory/continuity/thread-store.json' });
    expect(answer.capsule).toEqual(jsonOf(stored().active));
    expect(answer.trust_signals).toMatchObject({
      integrity: { source_state: 'fallback' },
      scope_match: { exact: false },
    });
  });

  test.each([
    ['no fallback', null],
    ['a broken fallback', BROKEN],
  ])('with %s it degrades to missing: capsule and trust signals are null', (_words, fallback) => {
    const answer = ask({ ...stored(), active: null, fallback }, { allow_fallback: true });
    expect(answer).toMatchObject({ capsule: null, source_state: 'missing', trust_signals: null, archived: false });
    expect(answer.recovery_warnings).toEqual(['continuity_active_missing', 'continuity_fallback_missing']);
  });
});

describe('trust_signals', () => {
  test('have exactly the keys of the specification, in their order', () => {
    const { trust_signals } = ask(stored({ freshness: { freshness_class: 'durable' } }));
    expect(JSON.stringify(trust_signals)).toBe(
      JSON.stringify({
        recency: {
          updated_age_seconds: 60,
          verified_age_seconds: 120,
          phase: 'fresh',
          freshness_class: 'durable',
          stale_threshold_seconds: 15552000,
        },
        completeness: { orientation_adequate: true, empty_orientation_fields: [], trimmed: false, trimmed_fields: [] },
        integrity: {
          source_state: 'active',
          health_status: 'healthy',
          health_reasons: [],
          verification_status: 'unverified',
        },
        scope_match: { exact: true },
      }),
    );
  });

  test.each<[string, object, object]>([
    ['persistent', { freshness_class: 'persistent' }, { phase: 'fresh', stale_threshold_seconds: null }],
    ['without a class', {}, { freshness_class: null, stale_threshold_seconds: 2_592_000 }],
    ['ephemeral', { freshness_class: 'ephemeral' }, { stale_threshold_seconds: 259_200 }],
    ['its own', { stale_after_seconds: 300 }, { stale_threshold_seconds: 300 }],
    ['expired by its date', { freshness_class: 'persistent', expires_at: ago(1) }, { phase: 'expired' }],
  ])('thresholds: %s', (_words, freshness, recency) => {
    expect(ask(stored({ freshness })).trust_signals?.recency).toMatchObject(recency);
  });

  test.each([
    [300, 'fresh'],
    [301, 'stale_soft'],
    [450, 'stale_soft'],
    [451, 'stale_hard'],
    [600, 'stale_hard'],
    [601, 'expired_by_age'],
  ])('a capsule with a threshold of 300 seconds that was verified %i seconds ago is %s', (seconds, phase) => {
    const files = stored({ verified_at: ago(seconds), freshness: { stale_after_seconds: 300 } });
    expect(ask(files).trust_signals?.recency.phase).toBe(phase);
  });

  test('empty fields are named in the order of orientation, and a stance of 29 characters is not adequate', () => {
    const bare = stored({}, { top_priorities: [], stance_summary: '', drift_signals: [] });
    expect(ask(bare).trust_signals?.completeness).toMatchObject({
      orientation_adequate: false,
      empty_orientation_fields: ['top_priorities', 'stance_summary', 'drift_signals'],
    });
    const adequate = (length: number) =>
      ask(stored({}, { stance_summary: 'x'.repeat(length) })).trust_signals?.completeness.orientation_adequate;
    expect([adequate(29), adequate(30)]).toEqual([false, true]);
  });

  test('a malformed time has an unknown age, which is null and not 0, and its capsule counts as expired', () => {
    const capsule = { ...jsonOf(stored().active), verified_at: 'yesterday', updated_at: '?' };
    const files = { ...stored(), active: Buffer.from(JSON.stringify(capsule)) };
    expect(ask(files).trust_signals?.recency).toMatchObject({
      updated_age_seconds: null,
      verified_age_seconds: null,
      phase: 'expired',
    });
  });
});

describe('view="startup"', () => {
  const files = stored(
    {},
    {
      negative_decisions: [{ decision: 'no queue', rationale: 'one writer is enough' }],
      rationale_entries: [
        { ...RATIONALE, tag: 'old', status: 'superseded' },
        { ...RATIONALE, tag: 'new', status: 'active', supersedes: 'old' },
        { ...RATIONALE, tag: 'gone', status: 'retired' },
      ],
    },
  );

  test('the capsule and all other keys are byte for byte those of a reading without a view', () => {
    const { startup_summary, ...rest } = ask(files, { view: 'startup' });
    expect(startup_summary).not.toBeNull();
    expect(JSON.stringify(rest)).toBe(JSON.stringify(ask(files)));
  });

  test('its keys come in the order of the contract', () => {
    const { startup_summary } = ask(files, { view: 'startup' });
    const keysOf = (value: unknown) => Object.keys(value as object);
    expect(keysOf(startup_summary)).toEqual([
      'recovery',
      'orientation',
      'context',
      'updated_at',
      'trust_signals',
      'stable_preferences',
    ]);
    expect(keysOf(startup_summary?.recovery)).toEqual([
      'source_state',
      'recovery_warnings',
      'capsule_health_status',
      'capsule_health_reasons',
    ]);
    expect(keysOf(startup_summary?.orientation)).toEqual([
      'top_priorities',
      'active_constraints',
      'open_loops',
      'negative_decisions',
      'rationale_entries',
    ]);
    expect(keysOf(startup_summary?.context)).toEqual(['session_trajectory', 'stance_summary', 'active_concerns']);
  });

  test('only active rationale entries are in it; negative decisions pass through with their times', () => {
    const { capsule, startup_summary } = ask(files, { view: 'startup' });
    expect(startup_summary?.orientation?.rationale_entries).toEqual([capsule?.continuity.rationale_entries[1]]);
    expect(startup_summary?.orientation?.negative_decisions).toEqual(capsule?.continuity.negative_decisions);
    expect(Object.keys(capsule?.continuity.negative_decisions[0] ?? {})).toEqual([
      'decision',
      'rationale',
      'created_at',
      'updated_at',
    ]);
  });

  test('a missing capsule has a recovery block, and null for all else', () => {
    const { startup_summary } = ask(noFiles(), { view: 'startup', allow_fallback: true });
    expect(startup_summary).toEqual({
      recovery: {
        source_state: 'missing',
        recovery_warnings: ['continuity_active_missing', 'continuity_fallback_missing'],
        capsule_health_status: null,
        capsule_health_reasons: [],
      },
      orientation: null,
      context: null,
      updated_at: null,
      trust_signals: null,
      stable_preferences: null,
    });
  });

  test('the health that a capsule says of itself is in the recovery block and in the trust signals', () => {
    const capsule_health = { status: 'degraded', reasons: ['the branch is gone'], last_checked_at: ago(9) };
    const { startup_summary, trust_signals } = ask(stored({ capsule_health }), { view: 'startup' });
    expect(startup_summary?.recovery).toMatchObject({
      capsule_health_status: 'degraded',
      capsule_health_reasons: ['the branch is gone'],
    });
    expect(trust_signals?.integrity).toMatchObject({
      health_status: 'degraded',
      health_reasons: ['the branch is gone'],
    });
  });

  test('preferences are [] where a capsule has none; health is null where it says nothing', () => {
    const { startup_summary } = ask(files, { view: 'startup' });
    expect(startup_summary).toMatchObject({ stable_preferences: [], recovery: { capsule_health_status: null } });
  });

  test('a capsule of an older release without these lists has empty ones', () => {
    const old = jsonOf(stored().active);
    const lists = ['negative_decisions', 'rationale_entries', 'session_trajectory'];
    const continuity = without(old['continuity'], ...lists);
    const active = Buffer.from(JSON.stringify({ ...old, continuity }));
    const { startup_summary } = ask({ ...files, active }, { view: 'startup' });
    expect(startup_summary).toMatchObject({
      orientation: { negative_decisions: [], rationale_entries: [] },
      context: { session_trajectory: [] },
    });
  });

  test('a summary that cannot be made is null with a warning, and the capsule is answered all the same', () => {
    const broken = () => {
      throw new Error('provoked');
    };
    const request = ReadRequest.parse({ ...SUBJECT, view: 'startup' });
    const answer = read(request, files, { now: NOW }, broken);
    expect(answer).toMatchObject({ startup_summary: null, recovery_warnings: ['startup_summary_build_failed'] });
    expect(answer.capsule).toEqual(ask(files).capsule);
  });
});
