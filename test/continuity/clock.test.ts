import { describe, expect, test } from 'vitest';
import { upsert } from '../../compiler/continuity/upsert.ts';
import { ago, capsuleOf, isStored, noFiles, OCCASION, refused, STATE, upsertOf, type Json } from './capsules.ts';

const RATIONALE = { tag: 't', kind: 'decision', status: 'active', summary: 's', reasoning: 'r' };
const USER = { subject_kind: 'user', subject_id: 'ann' };
const SNAPSHOT = {
  open_loops: STATE.open_loops,
  top_priorities: STATE.top_priorities,
  active_constraints: STATE.active_constraints,
  stance_summary: STATE.stance_summary,
};
const confirmed = (last_confirmed_at: string) => [{ decision: 'd', rationale: 'r', last_confirmed_at }];
const reasoned = (last_confirmed_at: string) => [{ ...RATIONALE, last_confirmed_at }];

/** Every time that an agent says itself, as it would be sent. */
const TIMES: [field: string, sent: (time: string) => [more: Json, state?: Json, request?: Json]][] = [
  ['updated_at', (time) => [{ updated_at: time }]],
  ['verified_at', (time) => [{ verified_at: time }]],
  [
    'verification_state.last_revalidated_at',
    (time) => [
      { verification_state: { status: 'unverified', strongest_signal: 'self_review', last_revalidated_at: time } },
    ],
  ],
  ['capsule_health.last_checked_at', (time) => [{ capsule_health: { status: 'healthy', last_checked_at: time } }]],
  [
    'stable_preferences.0.last_confirmed_at',
    (time) => [{ ...USER, stable_preferences: [{ tag: 't', content: 'c', last_confirmed_at: time }] }],
  ],
  ['continuity.negative_decisions.0.last_confirmed_at', (time) => [{}, { negative_decisions: confirmed(time) }]],
  ['continuity.rationale_entries.0.last_confirmed_at', (time) => [{}, { rationale_entries: reasoned(time) }]],
  [
    'session_end_snapshot.negative_decisions.0.last_confirmed_at',
    (time) => [{}, {}, { session_end_snapshot: { ...SNAPSHOT, negative_decisions: confirmed(time) } }],
  ],
  [
    'session_end_snapshot.rationale_entries.0.last_confirmed_at',
    (time) => [{}, {}, { session_end_snapshot: { ...SNAPSHOT, rationale_entries: reasoned(time) } }],
  ],
];

describe('times that agents say', () => {
  test.each(TIMES)('%s may be five minutes ahead of the clock, and not a second more', (field, sent) => {
    const [more, state, request] = sent(ago(-301));
    const capsule = capsuleOf(more, state);
    const files = noFiles(capsule.subject_kind, capsule.subject_id);
    const details = refused('capsule_invalid', () => upsert(upsertOf(capsule, request), files, OCCASION));
    expect(details).toEqual({ field, server_time: ago(0) });
    expect(isStored(...sent(ago(-300)))).toBe(true);
  });

  test('freshness.expires_at is meant to lie ahead', () => {
    expect(isStored({ freshness: { expires_at: '2099-01-01T00:00:00Z' } })).toBe(true);
  });
});
