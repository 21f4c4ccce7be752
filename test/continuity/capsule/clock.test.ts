import { describe, expect, test } from 'vitest';
import { changeLifecycle } from '../../../compiler/continuity/lifecycle.ts';
import { patch } from '../../../compiler/continuity/patch.ts';
import { revalidate } from '../../../compiler/continuity/revalidate.ts';
import { RevalidateRequest } from '../../../compiler/continuity/schema/compare.ts';
import { LifecycleRequest, PatchRequest } from '../../../compiler/continuity/schema/patch.ts';
import { upsert } from '../../../compiler/continuity/upsert.ts';
import {
  ago,
  applied,
  capsuleOf,
  isStored,
  noFiles,
  NOW,
  OCCASION,
  refused,
  STATE,
  upsertOf,
  type Json,
} from '../capsules.ts';

const DAY_MS = 86_400_000;

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
    expect(details).toMatchObject({ field, server_time: ago(0), faults: [{ path: field }] });
    expect(isStored(...sent(ago(-300)))).toBe(true);
  });

  test('freshness.expires_at is meant to lie ahead', () => {
    expect(isStored({ freshness: { expires_at: '2099-01-01T00:00:00Z' } })).toBe(true);
  });
});

describe('a capsule that was stored while a clock was ahead', () => {
  const ahead = { now: NOW + 2 * DAY_MS, owner: 'assistant' };
  const time = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
  const sent = (at: number) => upsertOf(capsuleOf({ updated_at: time(at), thread_descriptor: { label: 'store' } }));
  const files = applied(noFiles(), upsert(sent(ahead.now), noFiles(), ahead));
  const SUBJECT = { subject_kind: 'thread', subject_id: 'store' } as const;

  test('does not lock its subject once the clock is right again', () => {
    expect(upsert(sent(NOW), files, OCCASION).answer.updated).toBe(true);
    const append = { target: 'continuity.open_loops', action: 'append', value: 'next' };
    const patched = PatchRequest.parse({ ...SUBJECT, updated_at: ago(0), operations: [append] });
    expect(patch(patched, files, OCCASION).answer.updated).toBe(true);
    const moved = LifecycleRequest.parse({ ...SUBJECT, updated_at: ago(0), transition: 'suspend' });
    expect(changeLifecycle(moved, files, OCCASION).answer.lifecycle).toBe('suspended');
    const corrected = RevalidateRequest.parse({
      ...SUBJECT,
      outcome: 'correct',
      candidate_capsule: capsuleOf({ updated_at: ago(0) }, { open_loops: ['another'] }),
      signals: [{ kind: 'user_confirmation', source_ref: 'chat', observed_at: ago(0), summary: 'as agreed' }],
    });
    expect(revalidate(corrected, files, OCCASION).answer.updated).toBe(true);
  });

  test('is followed by writes that have to be newer again', () => {
    const after = applied(files, upsert(sent(NOW), files, OCCASION));
    const older = upsertOf(capsuleOf({ updated_at: ago(1) }));
    refused('capsule_stale', () => upsert(older, after, OCCASION));
  });

  test('a clock that is ahead by no more than agents may be still decides', () => {
    const near = applied(noFiles(), upsert(sent(NOW + 300_000), noFiles(), OCCASION));
    refused('capsule_stale', () => upsert(upsertOf(capsuleOf({ updated_at: ago(0) })), near, OCCASION));
  });
});
