import { describe, expect, test } from 'vitest';
import { compare } from '../../compiler/continuity/compare.ts';
import { changeLifecycle } from '../../compiler/continuity/lifecycle.ts';
import { patch } from '../../compiler/continuity/patch.ts';
import { revalidate } from '../../compiler/continuity/revalidate.ts';
import { CompareRequest, RevalidateRequest } from '../../compiler/continuity/schema/compare.ts';
import { LifecycleRequest, PatchRequest } from '../../compiler/continuity/schema/patch.ts';
import { upsert } from '../../compiler/continuity/upsert.ts';
import { ago, capsuleOf, noFiles, OCCASION, refused, stored, upsertOf, type Json } from './capsules.ts';

const SUBJECT = { subject_kind: 'thread', subject_id: 'store' };
const SIGNALS = [{ kind: 'self_review', source_ref: 'note', observed_at: ago(10), summary: 'looked again' }];
const LATE = ago(-3600);
const RATIONALE = { tag: 't', kind: 'decision', status: 'active', summary: 's', reasoning: 'r' };

/** The field that an upsert is refused for. */
const upserted = (more: Json, state: Json = {}, request: Json = {}) =>
  refused('capsule_invalid', () => upsert(upsertOf(capsuleOf(more, state), request), noFiles(), OCCASION))['field'];

const patched = (operation: Json, more: Json = {}) =>
  refused('capsule_invalid', () =>
    patch(
      PatchRequest.parse({ ...SUBJECT, updated_at: ago(0), operations: [operation], ...more }),
      stored({ thread_descriptor: { label: 'a' } }, { negative_decisions: [{ decision: 'd', rationale: 'r' }] }),
      OCCASION,
    ),
  )['field'];

const moved = (more: Json) =>
  refused('capsule_invalid', () =>
    changeLifecycle(
      LifecycleRequest.parse({ ...SUBJECT, transition: 'suspend', updated_at: ago(0), ...more }),
      stored({ thread_descriptor: { label: 'a' } }),
      OCCASION,
    ),
  )['field'];

describe('a refusal names the field that an agent has to mend', () => {
  test.each<[string, Json, Json, Json]>([
    ['capsule.subject_id', {}, {}, { subject_id: 'other' }],
    ['stable_preferences', { stable_preferences: [{ tag: 't', content: 'c' }] }, {}, {}],
    [
      'metadata.interaction_boundary_kind',
      { source: { producer: 'x', update_reason: 'interaction_boundary' } },
      {},
      {},
    ],
    ['continuity.rationale_entries.0.supersedes', {}, { rationale_entries: [{ ...RATIONALE, supersedes: 'u' }] }, {}],
    ['capsule', { metadata: { big: 'x'.repeat(20_480) } }, {}, {}],
    ['superseded_by', { thread_descriptor: { label: 'a' } }, {}, { lifecycle_transition: 'supersede' }],
    [
      'superseded_by',
      { thread_descriptor: { label: 'a' } },
      {},
      { lifecycle_transition: 'suspend', superseded_by: 'b' },
    ],
    [
      'superseded_by',
      { thread_descriptor: { label: 'a' } },
      {},
      { lifecycle_transition: 'supersede', superseded_by: 'store' },
    ],
  ])('upsert: %s (%j, %j, %j)', (field, more, state, request) => {
    expect(upserted(more, state, request)).toBe(field);
  });

  test('upsert: a descriptor of a user is refused by its name', () => {
    const capsule = capsuleOf({ subject_kind: 'user', subject_id: 'ann', thread_descriptor: { label: 'a' } });
    const run = () => upsert(upsertOf(capsule), noFiles('user', 'ann'), OCCASION);
    expect(refused('capsule_invalid', run)['field']).toBe('thread_descriptor');
  });

  test.each<[string, Json]>([
    ['operations.0.value', { target: 'continuity.open_loops', action: 'append' }],
    ['operations.0.value', { target: 'continuity.open_loops', action: 'remove', match: 'a', value: 'b' }],
    ['operations.0.match', { target: 'continuity.open_loops', action: 'remove' }],
    ['operations.0.match', { target: 'continuity.open_loops', action: 'append', value: 'a', match: 'b' }],
    ['operations.0.index', { target: 'continuity.open_loops', action: 'replace_at', value: 'a' }],
    ['operations.0.index', { target: 'continuity.open_loops', action: 'append', value: 'a', index: 0 }],
    ['operations.0.value.colour', decision({ colour: 'red' })],
    ['operations.0.value.colour', decision({ colour: 'red', size: 'big' })],
    ['operations.0.value.last_confirmed_at', decision({ last_confirmed_at: LATE })],
  ])('patch: %s (%j)', (field, operation) => {
    expect(String(patched(operation)).replace(/^operations\.0\.value\.0/, 'operations.0.value')).toBe(field);
  });

  test('patch and lifecycle: the time of the request', () => {
    const append = { target: 'continuity.open_loops', action: 'append', value: 'new' };
    expect(patched(append, { updated_at: LATE })).toBe('updated_at');
    expect(moved({ updated_at: LATE })).toBe('updated_at');
  });

  test('compare and revalidate: the candidate and the signals', () => {
    const parts = { ...SUBJECT, signals: SIGNALS };
    const compared = (candidate_capsule: Json, signals: Json[] = SIGNALS) =>
      refused('capsule_invalid', () =>
        compare(CompareRequest.parse({ ...parts, candidate_capsule, signals }), stored(), OCCASION),
      )['field'];
    expect(compared(capsuleOf({ subject_id: 'other' }))).toBe('candidate_capsule.subject_id');
    expect(compared(capsuleOf({ subject_kind: 'task' }))).toBe('candidate_capsule.subject_id');
    expect(compared(capsuleOf({ verified_at: LATE }))).toBe('verified_at');
    const late = [...SIGNALS, { ...SIGNALS[0], observed_at: LATE }];
    expect(compared(capsuleOf(), late)).toBe('signals.1.observed_at');
    const confirmed = RevalidateRequest.parse({ ...parts, outcome: 'confirm', signals: late });
    expect(refused('capsule_invalid', () => revalidate(confirmed, stored(), OCCASION))['field']).toBe(
      'signals.1.observed_at',
    );
  });
});

function decision(more: Json): Json {
  const value = { decision: 'e', rationale: 'r', ...more };
  return { target: 'continuity.negative_decisions', action: 'append', value };
}
