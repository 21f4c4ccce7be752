import { describe, expect, test } from 'vitest';
import { complete } from '../../../compiler/continuity/capsule/complete-capsule.ts';
import { trustSignals } from '../../../compiler/continuity/capsule/trust-signals.ts';
import { sharesOf } from '../../../compiler/continuity/retrieval/shares.ts';
import { tokensOf } from '../../../compiler/continuity/retrieval/tokens.ts';
import { needOf, trim, type CapsuleCandidate } from '../../../compiler/continuity/retrieval/trim.ts';
import { NOW, type Json } from '../capsules.ts';
import { trustOf } from '../monotone.ts';
import { richOf } from '../rich.ts';

const SORT_KEY = {
  lifecycle_rank: 0,
  health_rank: 0,
  freshness_rank: 0,
  resume_adequate: true,
  verification_rank: 0,
  updated_age_seconds: 60,
} as const;

function candidateOf(draft: Json): CapsuleCandidate {
  const { capsule } = complete(draft);
  return {
    capsule,
    source_state: 'active',
    salience: { rank: 0, sort_key: SORT_KEY },
    signals: trustSignals(capsule, 'active', NOW),
  };
}

const RICH = candidateOf(richOf('user', 'ann'));
const THREAD = candidateOf(richOf('thread', 'store'));

/** Everything that the whole ladder trims, in order. */
const trimmedAtLast = (candidate: CapsuleCandidate) => trim(candidate, needOf(candidate).least)?.trimmed_fields;

/** Results over all shares that make a difference, from the largest. */
function results(candidate: CapsuleCandidate) {
  const { least, most } = needOf(candidate);
  const shares = Array.from({ length: Math.ceil((most - least) / 7) + 1 }, (_, at) => Math.max(least, most - 7 * at));
  return shares.map((share) => ({ share, result: trim(candidate, share) }));
}

describe('the fixed trim order', () => {
  test('phase 1, what the specification never names, phase 2, and the core lists', () => {
    expect(trimmedAtLast(RICH)).toEqual([
      'metadata',
      'canonical_sources',
      'freshness',
      'attention_policy.presence_bias_overrides',
      'continuity.relationship_model.sensitivity_notes',
      'continuity.relationship_model.preferred_style',
      'continuity.retrieval_hints.avoid',
      'continuity.retrieval_hints.load_next',
      'continuity.trailing_notes',
      'continuity.curiosity_queue',
      'continuity.rationale_entries',
      'continuity.negative_decisions',
      'continuity.working_hypotheses',
      'stable_preferences',
      'continuity.related_documents',
      'attention_policy',
      'source.inputs',
      'continuity.session_trajectory',
      'verification_state',
      'capsule_health',
      'continuity.retrieval_hints.must_include',
      'continuity.relationship_model',
      'continuity.long_horizon_commitments',
      'continuity.stance_summary',
      'continuity.drift_signals',
      'continuity.active_concerns',
      'continuity.open_loops',
      'continuity.active_constraints',
      'continuity.top_priorities',
    ]);
    expect(trimmedAtLast(THREAD)).toContain('thread_descriptor');
  });

  test('stable_preferences go as a whole, and are named in the trust signals', () => {
    const kept = new Set<number>();
    for (const { result } of results(RICH)) {
      const list = result?.entry['stable_preferences'] as unknown[] | undefined;
      kept.add(list?.length ?? 0);
      const signals = result?.entry.trust_signals;
      if (list === undefined && signals && 'trimmed_fields' in signals.completeness)
        expect(signals.completeness.trimmed_fields).toContain('stable_preferences');
    }
    expect([...kept]).toEqual([10, 0]);
  });

  test('trust signals go from full to compact to null, and the last core entry stays', () => {
    const { least } = needOf(THREAD);
    const forms = new Set(results(THREAD).map(({ result }) => (result ? trustOf(result.entry) : null)));
    expect([...forms]).toEqual([2, 1, 0]);
    expect(trim(THREAD, least)?.entry['continuity']).toMatchObject({
      top_priorities: [THREAD.capsule.continuity.top_priorities[0]],
      open_loops: [],
      stance_summary: '',
    });
    expect(trim(THREAD, least - 1)).toBeNull();
  });

  test('a compact form has exactly the members of the specification', () => {
    const compact = results(THREAD)
      .map(({ result }) => result?.entry)
      .find((it) => it && trustOf(it) === 1)?.trust_signals;
    expect(compact).toEqual({
      compact: true,
      recency: { phase: 'fresh' },
      completeness: { orientation_adequate: true, trimmed: true },
      integrity: { source_state: 'active', health_status: 'healthy' },
      scope_match: { exact: true },
    });
  });

  test('what is returned fits its share, and nothing is trimmed where all of it fits', () => {
    const { most } = needOf(RICH);
    for (const { share, result } of results(RICH)) expect(tokensOf(result?.entry)).toBeLessThanOrEqual(share);
    expect(trim(RICH, most)?.trimmed_fields).toEqual([]);
    expect(trim(RICH, most - 1)?.trimmed_fields.length).toBeGreaterThan(0);
  });
});

test('the smallest budget brings the most salient capsule: there is no band of budgets that drops it', () => {
  const small = candidateOf({ ...richOf('thread', 'small'), metadata: {} });
  const needs = [THREAD, candidateOf(richOf('task', 'review')), RICH, small].map(needOf);
  for (let budget = 256; budget <= 2000; budget += 109)
    expect(trim(THREAD, sharesOf(needs, budget)[0] ?? 0), `${budget}`).not.toBeNull();
});
