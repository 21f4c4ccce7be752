import { describe, expect, test } from 'vitest';
import { selectorsOf } from '../../compiler/continuity/retrieve.ts';
import { MEMORY_NOTE, RetrieveAnswer, RetrieveRequest } from '../../compiler/continuity/schema/reading/retrieve.ts';
import { ago, jsonOf, noFiles, refused, type Json } from './capsules.ts';
import { health, idsOf, retrieved, stateOf, thread, THREE } from './retrieving.ts';

describe('POST /v1/context/retrieve', () => {
  test('a rich thread, a rich task and a rich user fit into the default budget, whole', () => {
    const answer = retrieved(THREE);
    expect(answer.bundle.token_budget_hint).toBe(12_000);
    expect(stateOf(answer).trimmed).toEqual([]);
    for (const [at, entry] of stateOf(answer).capsules.entries()) {
      const held = THREE.find((it) => it.path.includes(`-${String(entry['subject_id'])}.`))!;
      expect(held.active!.length).toBeGreaterThan(9_000);
      expect(entry).toMatchObject(jsonOf(held.active));
      expect(entry.salience?.rank).toBe(at);
      expect(entry.trust_signals).toMatchObject({ completeness: { trimmed: false, trimmed_fields: [] } });
    }
  });

  test('the days that are looked back are 30 where none are asked for, and a note says that no subject was', () => {
    expect(retrieved(THREE).bundle).toMatchObject({ time_window_days: 30, notes: [MEMORY_NOTE] });
    const { notes } = retrieved([]).bundle;
    expect([notes.length, notes[0]]).toEqual([2, MEMORY_NOTE]);
  });

  test('the bundle has the keys of the specification, and the answer is what its schema says', () => {
    const answer = retrieved(THREE, { time_window_days: 7 });
    expect(RetrieveAnswer.parse(answer)).toEqual(answer);
    expect(Object.keys(answer.bundle)).toEqual([
      'task',
      'generated_at',
      'core_memory',
      'recent_relevant',
      'open_questions',
      'token_budget_hint',
      'time_window_days',
      'notes',
      'continuity_state',
      'graph_context',
    ]);
    expect(answer.bundle).toMatchObject({ task: 'go on', generated_at: ago(0), time_window_days: 7 });
    expect(answer.bundle).toMatchObject({ core_memory: [], recent_relevant: [], notes: [MEMORY_NOTE] });
    expect(answer).toMatchObject({ ok: true, content_kind: 'agent_authored' });
    expect(Object.keys(stateOf(answer).capsules[0]!).slice(0, 3)).toEqual([
      'source_state',
      'trust_signals',
      'salience',
    ]);
  });

  test('a copy of git that is stale or missing is a recovery warning, before those of the capsules', () => {
    const lost = { ...thread('lost'), active: null };
    const told = (index: 'current' | 'stale' | 'missing') =>
      stateOf(retrieved([lost], {}, { index })).recovery_warnings;
    const own = ['continuity_active_missing', 'continuity_fallback_used'];
    expect(['current', 'stale', 'missing'].map((it) => told(it as 'stale'))).toEqual([
      own,
      ['continuity_index_stale', ...own],
      ['continuity_index_missing', ...own],
    ]);
  });

  test('salience has the strongest signal of a capsule', () => {
    const verification_state = {
      status: 'system_confirmed',
      last_revalidated_at: ago(9),
      strongest_signal: 'system_check',
    };
    const [sure, other] = stateOf(retrieved([thread('other'), thread('sure', { verification_state })])).capsules;
    expect([sure?.salience?.sort_key, other?.salience?.sort_key]).toMatchObject([
      { verification_rank: 4 },
      { verification_rank: 0 },
    ]);
  });

  test('capsules come by salience; one without more is returned unless the request allows for more', () => {
    const held = [thread('old', { updated_at: ago(900) }), thread('new', { updated_at: ago(5) })];
    expect(idsOf(retrieved(held))).toEqual(['new', 'old']);
    expect(retrieved(held).salience_metadata).toMatchObject({ sort_applied: true, capsule_count: 2 });
    const one = retrieved(held, { continuity_max_capsules: null });
    expect(idsOf(one)).toEqual(['old']);
    expect(stateOf(one).trust_signals?.scope_match).toEqual({
      selectors_requested: 2,
      selectors_returned: 1,
      selectors_omitted: 1,
      all_returned: false,
    });
  });

  test('the subject of the request comes before its selectors, and each subject once', () => {
    const request = RetrieveRequest.parse({
      task: '',
      subject_kind: 'task',
      subject_id: 'a',
      continuity_selectors: [
        { subject_kind: 'thread', subject_id: 'b' },
        { subject_kind: 'task', subject_id: 'a' },
      ],
      continuity_max_capsules: 4,
    });
    expect(selectorsOf(request).map((it) => it.subject_id)).toEqual(['a', 'b']);
    expect(RetrieveRequest.safeParse({ task: '', subject_kind: 'task' }).success).toBe(false);
  });

  test.each<[string, Json]>([
    [
      'continuity_selectors',
      { continuity_selectors: Array.from({ length: 5 }, () => ({ subject_kind: 'task', subject_id: 'a' })) },
    ],
    ['continuity_max_capsules', { continuity_max_capsules: 5 }],
    ['no capsules', { continuity_max_capsules: 0 }],
    ['max_tokens_estimate', { max_tokens_estimate: 255 }],
    ['max_tokens_estimate above', { max_tokens_estimate: 100_001 }],
    ['time_window_days', { time_window_days: 3651 }],
    ['limit', { limit: 101 }],
    ['task', { task: 'x'.repeat(8001) }],
    ['include_types', { include_types: Array.from({ length: 33 }, () => 'note') }],
    ['a type', { include_types: ['x'.repeat(81)] }],
  ])('limits: %s', (_name, more) => {
    expect(RetrieveRequest.safeParse({ task: 'go on', ...more }).success).toBe(false);
  });

  test.each([
    ['off', retrieved(THREE, { continuity_mode: 'off' })],
    ['no selectors', retrieved([])],
    ['nothing stored', retrieved([noFiles()])],
  ])('with nothing to return (%s) the keys are there all the same', (_words, answer) => {
    expect(stateOf(answer)).toMatchObject({ present: false, capsules: [], trust_signals: null, fallback_used: false });
    expect(answer.salience_metadata).toBeNull();
  });

  test('mode required: without a subject it is invalid, with none that can be returned it is not found', () => {
    expect(refused('capsule_invalid', () => retrieved([], { continuity_mode: 'required' }))).toMatchObject({
      field: 'continuity_selectors',
    });
    refused('capsule_not_found', () => retrieved([noFiles()], { continuity_mode: 'required' }));
    expect(stateOf(retrieved(THREE, { continuity_mode: 'required' })).present).toBe(true);
  });
});

describe('a retrieval that has to trim', () => {
  const NONE = { full: 0, compact: 0, none: 0 };

  test('it says what was left out of each capsule, and which form the trust signals have', () => {
    const seen = { ...NONE };
    for (let max_tokens_estimate = 400; max_tokens_estimate < 9000; max_tokens_estimate += 100) {
      const { capsules, trimmed, recovery_warnings, warnings, trust_signals } = stateOf(
        retrieved(THREE, { max_tokens_estimate }),
      );
      const signals = capsules.map((it) => it.trust_signals);
      const compact = signals.filter((it) => it !== null && 'compact' in it).length;
      const none = signals.filter((it) => it === null).length;
      expect(trimmed.map((it) => it.subject_id)).toEqual(capsules.map((it) => it['subject_id']));
      for (const [at, it] of signals.entries())
        if (it && !('compact' in it)) expect(it.completeness.trimmed_fields).toEqual(trimmed[at]?.trimmed_fields);
      expect(recovery_warnings.includes('trust_signals_compact')).toBe(compact > 0);
      expect(warnings.includes('continuity_salience_omitted')).toBe(capsules.some((it) => it.salience === null));
      expect(warnings.includes('continuity_capsule_truncated_to_zero')).toBe(capsules.length < 3);
      // "total_count counts capsules with non-null trust_signals"
      expect(trust_signals?.completeness.total_count ?? 0).toBe(capsules.length - none);
      expect(trust_signals?.completeness.any_trimmed ?? true).toBe(true);
      seen.compact += compact;
      seen.none += none;
      seen.full += capsules.length - compact - none;
    }
    for (const [form, count] of Object.entries(seen)) expect(count, form).toBeGreaterThan(0);
  });

  test('ages are null where every capsule is compact', () => {
    const budgets = Array.from({ length: 80 }, (_, at) => 400 + at * 50);
    const states = budgets.map((max_tokens_estimate) => stateOf(retrieved(THREE.slice(0, 1), { max_tokens_estimate })));
    const compact = states.find(({ capsules: [one] }) => one?.trust_signals && 'compact' in one.trust_signals);
    expect(compact?.trust_signals?.recency).toEqual({
      worst_phase: 'fresh',
      oldest_updated_age_seconds: null,
      oldest_verified_age_seconds: null,
    });
  });
});

describe('aggregate trust_signals', () => {
  test('they sum up the capsules that are returned', () => {
    const held = [
      thread('a', { updated_at: ago(10), ...health('degraded') }),
      thread('b', { verified_at: ago(900), freshness: { stale_after_seconds: 600 } }),
    ];
    expect(stateOf(retrieved(held)).trust_signals).toEqual({
      recency: { worst_phase: 'stale_soft', oldest_updated_age_seconds: 60, oldest_verified_age_seconds: 900 },
      completeness: { all_adequate: true, adequate_count: 2, total_count: 2, any_trimmed: false },
      integrity: { worst_health: 'degraded', any_fallback: false, any_degraded: true, any_conflicted: false },
      scope_match: { selectors_requested: 2, selectors_returned: 2, selectors_omitted: 0, all_returned: true },
    });
  });

  test('if they cannot be made they are null with a warning, and the capsules are returned', () => {
    const aggregate = () => {
      throw new Error('provoked');
    };
    const state = stateOf(retrieved(THREE, {}, { aggregate }));
    expect(state).toMatchObject({ present: true, trust_signals: null });
    expect(state.recovery_warnings).toEqual(['trust_signals_aggregate_failed']);
  });
});
