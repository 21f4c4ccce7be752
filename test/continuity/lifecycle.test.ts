import { describe, expect, test } from 'vitest';
import { changeLifecycle } from '../../compiler/continuity/lifecycle.ts';
import { LifecycleRequest } from '../../compiler/continuity/schema/patch.ts';
import { Lifecycle, Transition } from '../../compiler/continuity/schema/words.ts';
import { upsert } from '../../compiler/continuity/upsert.ts';
import {
  ago,
  applied,
  capsuleOf,
  jsonOf,
  noFiles,
  OCCASION,
  refused,
  stored,
  upsertOf,
  type Json,
} from './capsules.ts';

const SUBJECT = { subject_kind: 'thread', subject_id: 'store' };
const LABEL = { label: 'the store' };
const threadIn = (lifecycle: string) =>
  stored({ thread_descriptor: { ...LABEL, lifecycle, ...(lifecycle === 'superseded' && { superseded_by: 'b' }) } });
const requestOf = (transition: string, more: Json = {}) =>
  LifecycleRequest.parse({
    ...SUBJECT,
    transition,
    updated_at: ago(0),
    ...(transition === 'supersede' && { superseded_by: 'next' }),
    ...more,
  });

/** Where each transition leads; what is not here is a conflict. */
const ALLOWED: Readonly<Record<string, string>> = {
  'active suspend': 'suspended',
  'active conclude': 'concluded',
  'active supersede': 'superseded',
  'suspended resume': 'active',
  'suspended conclude': 'concluded',
  'suspended supersede': 'superseded',
};

const PAIRS = Lifecycle.options.flatMap((from) => Transition.options.map((by) => [from, by] as const));

describe('POST /v1/continuity/lifecycle', () => {
  test.each(PAIRS)('%s, %s', (from, transition) => {
    const to = ALLOWED[`${from} ${transition}`];
    const move = () => changeLifecycle(requestOf(transition), threadIn(from), OCCASION);
    if (to === undefined) {
      expect(refused('capsule_conflict', move)).toEqual({ lifecycle: from, transition });
      return;
    }
    expect(move().answer).toMatchObject({ ok: true, lifecycle: to, previous_lifecycle: from });
  });

  test.each(PAIRS)('an upsert that carries the transition does the same: %s, %s', (from, transition) => {
    const to = ALLOWED[`${from} ${transition}`];
    const capsule = capsuleOf({ updated_at: ago(0), thread_descriptor: LABEL });
    const carried = { lifecycle_transition: transition, ...(transition === 'supersede' && { superseded_by: 'next' }) };
    const move = () => upsert(upsertOf(capsule, carried), threadIn(from), OCCASION);
    if (to === undefined) refused('capsule_conflict', move);
    else expect(move().answer.lifecycle).toBe(to);
  });

  test('it changes lifecycle, superseded_by and updated_at, and nothing else', () => {
    const files = stored(
      { thread_descriptor: { ...LABEL, keywords: ['git'] } },
      { negative_decisions: [{ decision: 'a', rationale: 'b' }] },
    );
    const after = jsonOf(applied(files, changeLifecycle(requestOf('supersede'), files, OCCASION)).active);
    const before = jsonOf(files.active);
    const descriptor = before['thread_descriptor'] as Json;
    expect(after).toEqual({
      ...before,
      updated_at: ago(0),
      thread_descriptor: { ...descriptor, lifecycle: 'superseded', superseded_by: 'next' },
    });
  });

  test('a thread that is resumed has no successor', () => {
    const files = threadIn('suspended');
    const after = jsonOf(applied(files, changeLifecycle(requestOf('resume'), files, OCCASION)).active);
    expect(after['thread_descriptor']).not.toHaveProperty('superseded_by');
  });

  test('updated_at has to be strictly newer than what is stored, and not ahead of the clock', () => {
    const move = (seconds: number) => () =>
      changeLifecycle(requestOf('suspend', { updated_at: ago(seconds) }), threadIn('active'), OCCASION);
    refused('capsule_stale', move(60));
    refused('capsule_invalid', move(-301));
    expect(move(59)().answer.lifecycle).toBe('suspended');
  });

  test('there has to be a capsule with a descriptor', () => {
    refused('capsule_not_found', () => changeLifecycle(requestOf('suspend'), noFiles(), OCCASION));
    refused('capsule_conflict', () => changeLifecycle(requestOf('suspend'), stored(), OCCASION));
  });

  test('users and peers have no lifecycle', () => {
    expect(LifecycleRequest.safeParse({ ...requestOf('suspend'), subject_kind: 'user' }).success).toBe(false);
  });
});

describe('the lifecycle of an upsert', () => {
  test('a first descriptor is active, unless it says otherwise', () => {
    expect(upsert(upsertOf(capsuleOf({ thread_descriptor: LABEL })), noFiles(), OCCASION).answer.lifecycle).toBe(
      'active',
    );
    expect(jsonOf(threadIn('suspended').active)).toMatchObject({ thread_descriptor: { lifecycle: 'suspended' } });
  });

  test('a capsule that carries a transition is stored as it was sent, with the new lifecycle', () => {
    const state = { open_loops: ['review the worker'], stance_summary: 'the worker is written' };
    const wanted = capsuleOf({ updated_at: ago(0), thread_descriptor: { label: 'b' } }, state);
    const files = threadIn('active');
    const after = jsonOf(
      applied(files, upsert(upsertOf(wanted, { lifecycle_transition: 'suspend' }), files, OCCASION)).active,
    );
    expect(after).toMatchObject({ thread_descriptor: { label: 'b', lifecycle: 'suspended' }, continuity: state });
  });

  test('a transition without a descriptor is a conflict; a superseded_by without supersede is invalid', () => {
    const transition = { lifecycle_transition: 'suspend' };
    refused('capsule_conflict', () => upsert(upsertOf(capsuleOf(), transition), noFiles(), OCCASION));
    refused('capsule_invalid', () => upsert(upsertOf(capsuleOf(), { superseded_by: 'x' }), noFiles(), OCCASION));
  });

  test('the answer of a capsule without a descriptor has no lifecycle', () => {
    expect(upsert(upsertOf(capsuleOf()), noFiles(), OCCASION).answer).not.toHaveProperty('lifecycle');
  });
});
