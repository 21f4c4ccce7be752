import { describe, expect, test } from 'vitest';
import { retrieve, selectorsOf, type RetrieveOccasion } from '../../compiler/continuity/retrieve.ts';
import type { SubjectFiles } from '../../compiler/continuity/stored/subject.ts';
import { upsert } from '../../compiler/continuity/upsert.ts';
import { RetrieveAnswer, RetrieveRequest } from '../../compiler/schema/continuity/retrieve.ts';
import { ago, applied, capsuleOf, jsonOf, noFiles, NOW, OCCASION, refused, upsertOf, type Json } from './capsules.ts';
import { richOf } from './rich.ts';

/** What a store has of a capsule. */
function filesOf(capsule: ReturnType<typeof capsuleOf>): SubjectFiles {
  const files = noFiles(capsule.subject_kind, capsule.subject_id);
  return applied(files, upsert(upsertOf(capsule), files, OCCASION));
}

/** A retrieval of these capsules, by selectors. */
function ask(held: readonly SubjectFiles[], more: Json = {}, occasion: Partial<RetrieveOccasion> = {}) {
  const selectors = held.map((it) => {
    const [, kind = '', id = ''] = /\/(user|peer|thread|task)-(.*)\.json$/.exec(it.path) ?? [];
    return { subject_kind: kind, subject_id: id };
  });
  const request = RetrieveRequest.parse({
    task: 'go on',
    continuity_selectors: selectors,
    continuity_max_capsules: 4,
    ...more,
  });
  const found = selectorsOf(request).map((subject) => ({
    subject,
    files: held.find((it) => it.path.endsWith(`/${subject.subject_kind}-${subject.subject_id}.json`))!,
  }));
  return retrieve(request, found, { now: NOW, ...occasion });
}

const stateOf = (answer: RetrieveAnswer) => answer.bundle.continuity_state;
const idsOf = (answer: RetrieveAnswer) => stateOf(answer).capsules.map((it) => it['subject_id']);
const thread = (id: string, more: Json = {}) => filesOf(capsuleOf({ subject_id: id, ...more }));
const health = (status: string) => ({ capsule_health: { status, last_checked_at: ago(9) } });

const THREE = [richOf('thread', 'store'), richOf('task', 'review'), richOf('user', 'ann')].map(filesOf);

describe('POST /v1/context/retrieve', () => {
  test('a rich thread, a rich task and a rich user fit into the default budget, whole', () => {
    const answer = ask(THREE);
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

  test('the bundle has the keys of the specification, and the answer is what its schema says', () => {
    const answer = ask(THREE, { time_window_days: 7 });
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
    ]);
    expect(answer.bundle).toMatchObject({ task: 'go on', generated_at: ago(0), core_memory: [], time_window_days: 7 });
    expect(answer).toMatchObject({ ok: true, content_kind: 'agent_authored' });
    expect(Object.keys(stateOf(answer).capsules[0]!).slice(0, 3)).toEqual([
      'source_state',
      'trust_signals',
      'salience',
    ]);
  });

  test('capsules come by salience; one without more is returned unless the request allows for more', () => {
    const held = [thread('old', { updated_at: ago(900) }), thread('new', { updated_at: ago(5) })];
    expect(idsOf(ask(held))).toEqual(['new', 'old']);
    expect(ask(held).salience_metadata).toMatchObject({ sort_applied: true, capsule_count: 2 });
    const one = ask(held, { continuity_max_capsules: null });
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
  ])('limits: %s', (_name, more) => {
    expect(RetrieveRequest.safeParse({ task: 'go on', ...more }).success).toBe(false);
  });

  test.each([
    ['off', ask(THREE, { continuity_mode: 'off' })],
    ['no selectors', ask([])],
    ['nothing stored', ask([noFiles()])],
  ])('with nothing to return (%s) the keys are there all the same', (_words, answer) => {
    expect(stateOf(answer)).toMatchObject({ present: false, capsules: [], trust_signals: null, fallback_used: false });
    expect(answer.salience_metadata).toBeNull();
  });

  test('mode required: without a subject it is invalid, with none that can be returned it is not found', () => {
    refused('capsule_invalid', () => ask([], { continuity_mode: 'required' }));
    refused('capsule_not_found', () => ask([noFiles()], { continuity_mode: 'required' }));
    expect(stateOf(ask(THREE, { continuity_mode: 'required' })).present).toBe(true);
  });
});

describe('a retrieval that has to trim', () => {
  const NONE = { full: 0, compact: 0, none: 0 };

  test('it says what was left out of each capsule, and which form the trust signals have', () => {
    const seen = { ...NONE };
    for (let max_tokens_estimate = 400; max_tokens_estimate < 9000; max_tokens_estimate += 100) {
      const { capsules, trimmed, recovery_warnings, warnings, trust_signals } = stateOf(
        ask(THREE, { max_tokens_estimate }),
      );
      const signals = capsules.map((it) => it.trust_signals);
      const compact = signals.filter((it) => it !== null && 'compact' in it).length;
      const none = signals.filter((it) => it === null).length;
      expect(trimmed.map((it) => it.subject_id)).toEqual(capsules.map((it) => it['subject_id']));
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
    const states = budgets.map((max_tokens_estimate) => stateOf(ask(THREE.slice(0, 1), { max_tokens_estimate })));
    const compact = states.find(({ capsules: [one] }) => one?.trust_signals && 'compact' in one.trust_signals);
    expect(compact?.trust_signals?.recency).toEqual({
      worst_phase: 'fresh',
      oldest_updated_age_seconds: null,
      oldest_verified_age_seconds: null,
    });
  });
});

describe('policies of a retrieval', () => {
  const sick = thread('sick', { ...health('degraded'), thread_descriptor: { label: 'a', lifecycle: 'active' } });
  const well = thread('well');
  const torn = thread('torn', health('conflicted'));
  const lost = { ...thread('lost', { thread_descriptor: { label: 'a' } }), active: null };

  test('allow_degraded returns all with warnings; prefer_healthy orders; require_healthy omits and says so', () => {
    const all = ask([sick, well, torn]);
    expect(idsOf(all)).toEqual(['sick', 'well', 'torn']);
    expect(stateOf(all).warnings).toEqual(['continuity_degraded', 'continuity_conflicted']);
    const preferred = ask([sick, well, torn], { continuity_verification_policy: 'prefer_healthy' });
    expect(idsOf(preferred)).toEqual(['well', 'sick', 'torn']);
    expect(stateOf(preferred).capsules.map((it) => it.salience?.rank)).toEqual([0, 1, 2]);
    const healthy = ask([sick, well, torn], { continuity_verification_policy: 'require_healthy' });
    expect(idsOf(healthy)).toEqual(['well']);
    expect(stateOf(healthy).warnings).toEqual(['continuity_unhealthy_omitted']);
  });

  test('allow_fallback returns a fallback with warnings; prefer_active puts it last; require_active omits it', () => {
    const allowed = ask([well, lost]);
    expect(idsOf(allowed)).toEqual(['lost', 'well']);
    expect(stateOf(allowed)).toMatchObject({
      fallback_used: true,
      recovery_warnings: ['continuity_active_missing', 'continuity_fallback_used'],
      trust_signals: { integrity: { any_fallback: true } },
    });
    expect(idsOf(ask([lost, well], { continuity_resilience_policy: 'prefer_active' }))).toEqual(['well', 'lost']);
    const active = ask([lost, well], { continuity_resilience_policy: 'require_active' });
    expect(idsOf(active)).toEqual(['well']);
    expect(stateOf(active)).toMatchObject({ fallback_used: false, recovery_warnings: ['continuity_active_missing'] });
  });

  test.each([
    [301, 'continuity_stale_soft'],
    [451, 'continuity_stale_hard'],
    [601, 'continuity_expired'],
  ])('a capsule that is %i seconds old is returned with %s', (seconds, warning) => {
    const stale = thread('stale', { verified_at: ago(seconds), freshness: { stale_after_seconds: 300 } });
    expect(stateOf(ask([stale])).warnings).toEqual([warning]);
  });
});

describe('aggregate trust_signals', () => {
  test('they sum up the capsules that are returned', () => {
    const held = [
      thread('a', { updated_at: ago(10), ...health('degraded') }),
      thread('b', { verified_at: ago(900), freshness: { stale_after_seconds: 600 } }),
    ];
    expect(stateOf(ask(held)).trust_signals).toEqual({
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
    const state = stateOf(ask(THREE, {}, { aggregate }));
    expect(state).toMatchObject({ present: true, trust_signals: null });
    expect(state.recovery_warnings).toEqual(['trust_signals_aggregate_failed']);
  });
});
