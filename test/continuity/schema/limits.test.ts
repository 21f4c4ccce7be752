import { describe, expect, test } from 'vitest';
import { CHARACTERS, ITEMS } from '../../../compiler/continuity/schema/limits.ts';
import { ArchiveRequest } from '../../../compiler/continuity/schema/removal.ts';
import { ago, isStored, type Json } from '../capsules.ts';

type Try = (value: never) => boolean;

const RATIONALE = { tag: 't', kind: 'decision', status: 'superseded', summary: 's', reasoning: 'r' };
const DECISION = { decision: 'd', rationale: 'r' };
const DOCUMENT = { path: 'docs/a.md', kind: 'design', label: 'A' };
const USER = { subject_kind: 'user', subject_id: 'ann' };
const STATE_OF = { status: 'unverified', last_revalidated_at: ago(9), strongest_signal: 'self_review' };
const HEALTH = { status: 'healthy', last_checked_at: ago(9) };

const state =
  (name: string): Try =>
  (value) =>
    isStored({}, { [name]: value });
const within =
  (place: string, name: string, rest: Json = {}): Try =>
  (value) =>
    isStored({}, { [place]: { ...rest, [name]: value } });
const member =
  (place: string, name: string, rest: Json = {}): Try =>
  (value) =>
    isStored({ [place]: { ...rest, [name]: value } });
const rationale =
  (name: string): Try =>
  (value) =>
    isStored({}, { rationale_entries: [{ ...RATIONALE, [name]: value }] });
const decision =
  (name: string): Try =>
  (value) =>
    isStored({}, { negative_decisions: [{ ...DECISION, [name]: value }] });
const document =
  (name: string): Try =>
  (value) =>
    isStored({}, { related_documents: [{ ...DOCUMENT, [name]: value }] });
const preference =
  (name: string): Try =>
  (value) =>
    isStored({ ...USER, stable_preferences: [{ tag: 't', content: 'c', [name]: value }] });
const descriptor = (name: string): Try => member('thread_descriptor', name, { label: 'l' });
const anchor =
  (name: string): Try =>
  (value) =>
    isStored({ thread_descriptor: { label: 'l', identity_anchors: [{ kind: 'k', value: 'v', [name]: value }] } });
const request =
  (name: string): Try =>
  (value) =>
    isStored({}, {}, { [name]: value });

/** How long a text may be, by the tables of the specification; `least` where it says 1 or more. */
const TEXTS: [name: string, most: number, attempt: Try, least?: number][] = [
  ['top_priorities', 160, (it) => state('top_priorities')([it] as never)],
  ['active_concerns', 160, (it) => state('active_concerns')([it] as never)],
  ['active_constraints', 160, (it) => state('active_constraints')([it] as never)],
  ['open_loops', 160, (it) => state('open_loops')([it] as never)],
  ['drift_signals', 160, (it) => state('drift_signals')([it] as never)],
  ['working_hypotheses', 160, (it) => state('working_hypotheses')([it] as never)],
  ['long_horizon_commitments', 160, (it) => state('long_horizon_commitments')([it] as never)],
  ['session_trajectory', 80, (it) => state('session_trajectory')([it] as never)],
  ['trailing_notes', 160, (it) => state('trailing_notes')([it] as never), 1],
  ['curiosity_queue', 120, (it) => state('curiosity_queue')([it] as never), 1],
  ['stance_summary', 240, state('stance_summary')],
  ['negative_decisions.decision', 160, decision('decision'), 1],
  ['negative_decisions.rationale', 240, decision('rationale'), 1],
  ['rationale_entries.tag', 80, rationale('tag'), 1],
  ['rationale_entries.summary', 320, rationale('summary'), 1],
  ['rationale_entries.reasoning', 560, rationale('reasoning'), 1],
  ['rationale_entries.alternatives_considered', 160, (it) => rationale('alternatives_considered')([it] as never), 1],
  ['rationale_entries.depends_on', 120, (it) => rationale('depends_on')([it] as never), 1],
  [
    'rationale_entries.supersedes',
    80,
    (it) =>
      isStored(
        {},
        {
          rationale_entries: [
            { ...RATIONALE, tag: it },
            { ...RATIONALE, tag: 'u', supersedes: it },
          ],
        },
      ),
    1,
  ],
  ['related_documents.path', 240, document('path'), 1],
  ['related_documents.kind', 32, document('kind'), 1],
  ['related_documents.label', 120, document('label'), 1],
  ['related_documents.relevance', 32, document('relevance'), 1],
  ['verification_state.conflict_summary', 240, member('verification_state', 'conflict_summary', STATE_OF)],
  ['subject_id', 200, (it) => isStored({ subject_id: it }), 1],
  ['source.producer', 100, member('source', 'producer', { update_reason: 'manual' }), 1],
  ['source.inputs', 200, (it) => member('source', 'inputs', { update_reason: 'manual', producer: 'a' })([it] as never)],
  ['relationship_model.preferred_style', 80, (it) => within('relationship_model', 'preferred_style')([it] as never)],
  [
    'relationship_model.sensitivity_notes',
    120,
    (it) => within('relationship_model', 'sensitivity_notes')([it] as never),
  ],
  ['retrieval_hints.must_include', 160, (it) => within('retrieval_hints', 'must_include')([it] as never)],
  ['retrieval_hints.avoid', 160, (it) => within('retrieval_hints', 'avoid')([it] as never)],
  [
    'attention_policy.presence_bias_overrides',
    160,
    (it) => member('attention_policy', 'presence_bias_overrides')([it] as never),
  ],
  [
    'verification_state.evidence_refs',
    200,
    (it) => member('verification_state', 'evidence_refs', STATE_OF)([it] as never),
  ],
  ['capsule_health.reasons', 120, (it) => member('capsule_health', 'reasons', HEALTH)([it] as never)],
  ['stable_preferences.tag', 80, preference('tag'), 1],
  ['stable_preferences.content', 240, preference('content'), 1],
  ['thread_descriptor.label', 120, descriptor('label'), 1],
  ['thread_descriptor.superseded_by', 200, (it) => descriptor('superseded_by')(it)],
  ['thread_descriptor.keywords', 40, (it) => descriptor('keywords')([it] as never), 1],
  ['thread_descriptor.scope_anchors', 200, (it) => descriptor('scope_anchors')([it] as never), 1],
  ['identity_anchors.kind', 40, anchor('kind'), 1],
  ['identity_anchors.value', 200, anchor('value'), 1],
  ['commit_message', 240, request('commit_message')],
  ['idempotency_key', 200, request('idempotency_key'), 1],
  ['reason', 240, (reason) => ArchiveRequest.safeParse({ ...USER, reason }).success, 3],
];

const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const words =
  (attempt: Try): Try =>
  (count) =>
    attempt(many(count, (at) => `entry ${at}`) as never);
const of =
  (attempt: Try, make: (at: number) => unknown): Try =>
  (count) =>
    attempt(many(count, make) as never);
const paths = (attempt: Try): Try => of(attempt, (at) => `docs/${at}.md`);

/** How many entries a list may have, by the tables of the specification. */
const LISTS: [name: string, most: number, attempt: Try][] = [
  ['top_priorities', 8, words(state('top_priorities'))],
  ['active_concerns', 5, words(state('active_concerns'))],
  ['active_constraints', 8, words(state('active_constraints'))],
  ['open_loops', 8, words(state('open_loops'))],
  ['drift_signals', 5, words(state('drift_signals'))],
  ['working_hypotheses', 5, words(state('working_hypotheses'))],
  ['long_horizon_commitments', 5, words(state('long_horizon_commitments'))],
  ['session_trajectory', 5, words(state('session_trajectory'))],
  ['trailing_notes', 3, words(state('trailing_notes'))],
  ['curiosity_queue', 5, words(state('curiosity_queue'))],
  ['negative_decisions', 4, of(state('negative_decisions'), (at) => ({ ...DECISION, decision: `d${at}` }))],
  ['rationale_entries', 6, of(state('rationale_entries'), (at) => ({ ...RATIONALE, tag: `t${at}` }))],
  ['rationale_entries.alternatives_considered', 3, words(rationale('alternatives_considered'))],
  ['rationale_entries.depends_on', 3, words(rationale('depends_on'))],
  ['related_documents', 8, of(state('related_documents'), (at) => ({ ...DOCUMENT, path: `docs/${at}.md` }))],
  ['relationship_model.preferred_style', 5, words(within('relationship_model', 'preferred_style'))],
  ['relationship_model.sensitivity_notes', 5, words(within('relationship_model', 'sensitivity_notes'))],
  ['retrieval_hints.must_include', 8, words(within('retrieval_hints', 'must_include'))],
  ['retrieval_hints.avoid', 8, words(within('retrieval_hints', 'avoid'))],
  ['retrieval_hints.load_next', 8, paths(within('retrieval_hints', 'load_next'))],
  ['attention_policy.early_load', 8, words(member('attention_policy', 'early_load'))],
  ['attention_policy.presence_bias_overrides', 5, words(member('attention_policy', 'presence_bias_overrides'))],
  ['canonical_sources', 8, paths((value) => isStored({ canonical_sources: value }))],
  [
    'stable_preferences',
    12,
    of(
      (value) => isStored({ ...USER, stable_preferences: value }),
      (at) => ({ tag: `t${at}`, content: 'c' }),
    ),
  ],
  ['source.inputs', 12, words(member('source', 'inputs', { update_reason: 'manual', producer: 'a' }))],
  ['verification_state.evidence_refs', 4, words(member('verification_state', 'evidence_refs', STATE_OF))],
  ['capsule_health.reasons', 5, words(member('capsule_health', 'reasons', HEALTH))],
  ['thread_descriptor.keywords', 6, words(descriptor('keywords'))],
  ['thread_descriptor.scope_anchors', 4, words(descriptor('scope_anchors'))],
  [
    'thread_descriptor.identity_anchors',
    4,
    of(descriptor('identity_anchors'), (at) => ({ kind: 'k', value: `v${at}` })),
  ],
];

describe('limits of the specification', () => {
  test.each(TEXTS)('%s has at most %i characters', (name, most, attempt, least = 0) => {
    expect(CHARACTERS[name as keyof typeof CHARACTERS]).toBe(most);
    const fits = (length: number) => attempt('x'.repeat(length) as never);
    expect([fits(most), fits(most + 1)]).toEqual([true, false]);
    expect(fits(least)).toBe(true);
    if (least > 0) expect(fits(least - 1)).toBe(false);
  });

  test.each(LISTS)('%s has at most %i entries', (name, most, attempt) => {
    expect(ITEMS[name as keyof typeof ITEMS]).toBe(most);
    expect([attempt(0 as never), attempt(most as never), attempt((most + 1) as never)]).toEqual([true, true, false]);
  });

  test('every limit of the tables is walked, here or with its verb', () => {
    const elsewhere = ['signals', 'operations', 'signals.source_ref', 'signals.summary', 'revalidate.reason'];
    const missing = (limits: object, walked: readonly (readonly [string, ...unknown[]])[]) =>
      Object.keys(limits).filter((name) => !elsewhere.includes(name) && !walked.some(([it]) => it === name));
    expect(missing(CHARACTERS, TEXTS)).toEqual([]);
    expect(missing(ITEMS, LISTS)).toEqual([]);
  });
});
