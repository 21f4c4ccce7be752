import { describe, expect, test } from 'vitest';
import { changeLifecycle } from '../../../compiler/continuity/lifecycle.ts';
import { patch } from '../../../compiler/continuity/patch.ts';
import { read } from '../../../compiler/continuity/read.ts';
import { revalidate } from '../../../compiler/continuity/revalidate.ts';
import { RevalidateRequest } from '../../../compiler/continuity/schema/compare.ts';
import { LifecycleRequest, PatchRequest } from '../../../compiler/continuity/schema/patch.ts';
import type { SubjectFiles } from '../../../compiler/continuity/stored/subject.ts';
import { upsert } from '../../../compiler/continuity/upsert.ts';
import {
  ago,
  applied,
  capsuleOf,
  filesOf,
  isStored,
  jsonOf,
  noFiles,
  NOW,
  OCCASION,
  refused,
  STATE,
  upsertOf,
  type Json,
} from '../capsules.ts';

const SUBJECT = { subject_kind: 'thread', subject_id: 'store' };
const LABEL = { label: 'the store' };
const SNAPSHOT = {
  session_end_snapshot: {
    open_loops: ['next'],
    top_priorities: STATE.top_priorities,
    active_constraints: [],
    stance_summary: 'over',
  },
};
const SIGNALS = [{ kind: 'user_confirmation', source_ref: 'chat', observed_at: ago(40), summary: 'the user said so' }];

const judgedBy = (outcome: string, files: SubjectFiles, more: Json = {}) =>
  applied(
    files,
    revalidate(RevalidateRequest.parse({ ...SUBJECT, outcome, signals: SIGNALS, ...more }), files, OCCASION),
  );

const written =
  (capsule: Json, request: Json = {}) =>
  (files: SubjectFiles) =>
    applied(files, upsert(upsertOf(capsule, request), files, OCCASION));

const whole = (more: Json = {}) => capsuleOf({ updated_at: ago(1), ...more }, { open_loops: ['another'] });

/** Every write of a client, each newer than what is stored. */
const WRITES: Readonly<Record<string, (files: SubjectFiles) => SubjectFiles>> = {
  'a whole capsule': written(whole()),
  'a whole capsule with a descriptor': written(whole({ thread_descriptor: { ...LABEL, lifecycle: 'active' } })),
  'a session-end snapshot': written(whole(), SNAPSHOT),
  'preserve mode': written(
    { ...SUBJECT, updated_at: ago(1), continuity: { stance_summary: 'on' } },
    { merge_mode: 'preserve' },
  ),
  'preserve mode that clears': written(
    {
      ...SUBJECT,
      updated_at: ago(1),
      thread_descriptor: null,
      verification_state: null,
      capsule_health: null,
      verification_kind: null,
    },
    { merge_mode: 'preserve' },
  ),
  'a capsule that vouches for itself': written(
    whole({
      verification_state: { status: 'system_confirmed', last_revalidated_at: ago(2), strongest_signal: 'system_check' },
      capsule_health: { status: 'healthy', last_checked_at: ago(2) },
      verification_kind: 'system_check',
    }),
  ),
  'a patch': (files) => {
    const operations = [{ target: 'continuity.open_loops', action: 'append', value: 'next' }];
    return applied(files, patch(PatchRequest.parse({ ...SUBJECT, updated_at: ago(1), operations }), files, OCCASION));
  },
  'a whole capsule where the active one is damaged': (files) =>
    written(whole())({ ...files, active: Buffer.from('{"half":') }),
  'a whole capsule where the active one is lost': (files) => written(whole())({ ...files, active: null }),
};

const JUDGED = ['verification_state', 'capsule_health', 'verification_kind'];
const only = (json: Json, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, json[name]]));

describe.each(['conflict', 'degrade', 'confirm'])('what revalidate made (%s)', (outcome) => {
  const more = outcome === 'confirm' ? {} : { reason: 'the user said it is wrong' };
  const files = judgedBy(outcome, filesOf(capsuleOf({ thread_descriptor: LABEL })), more);

  test.each(Object.entries(WRITES))('survives %s', (_name, write) => {
    const after = jsonOf(write(files).active);
    expect(only(after, JUDGED)).toEqual(only(jsonOf(files.active), JUDGED));
    if (outcome === 'confirm') expect(after['verified_at']).toBe(ago(0));
  });
});

test('a correction takes no verification of its candidate', () => {
  const candidate_capsule = whole({
    verification_state: { status: 'system_confirmed', last_revalidated_at: ago(2), strongest_signal: 'system_check' },
  });
  const files = judgedBy('conflict', filesOf(capsuleOf()));
  const after = jsonOf(judgedBy('correct', files, { candidate_capsule }).active);
  expect(after['verification_state']).toMatchObject({ status: 'user_confirmed' });
});

test('an agent that vouches for itself is not believed, and is told so', () => {
  const capsule = whole({
    verification_state: { status: 'system_confirmed', last_revalidated_at: ago(2), strongest_signal: 'system_check' },
    capsule_health: { status: 'healthy', last_checked_at: ago(2) },
  });
  const change = upsert(upsertOf(capsule), noFiles(), OCCASION);
  expect(change.answer.normalizations_applied).toEqual([
    'server_managed:verification_state',
    'server_managed:capsule_health',
  ]);
  const files = applied(noFiles(), change);
  const answer = read({ ...SUBJECT, subject_kind: 'thread' }, files, { now: NOW });
  expect(answer.trust_signals?.integrity).toMatchObject({
    health_status: 'healthy',
    verification_status: 'unverified',
  });
});

test('a capsule that is sent back as it was read changes nothing, and nothing is told of it', () => {
  const files = judgedBy('conflict', filesOf(capsuleOf({ thread_descriptor: LABEL })));
  const { answer, writes } = upsert(upsertOf(jsonOf(files.active)), files, OCCASION);
  expect([writes.size, answer.normalizations_applied]).toEqual([0, []]);
});

describe.each(['suspend', 'conclude', 'supersede'])('where a transition led (%s)', (transition) => {
  const request = {
    ...SUBJECT,
    transition,
    updated_at: ago(30),
    ...(transition === 'supersede' && { superseded_by: 'next' }),
  };
  const first = filesOf(capsuleOf({ thread_descriptor: { ...LABEL, keywords: ['git'] } }));
  const files = applied(first, changeLifecycle(LifecycleRequest.parse(request), first, OCCASION));
  const before = jsonOf(files.active)['thread_descriptor'] as Json;

  test.each(Object.entries(WRITES))('survives %s', (_name, write) => {
    const { lifecycle, superseded_by } = jsonOf(write(files).active)['thread_descriptor'] as Json;
    expect([lifecycle, superseded_by]).toEqual([before['lifecycle'], before['superseded_by']]);
  });

  test('survives leaving the descriptor out, and putting one back', () => {
    const without_ = written(whole())(files);
    const again = written(whole({ updated_at: ago(0), thread_descriptor: { label: 'again' } }))(without_);
    expect(jsonOf(again.active)['thread_descriptor']).toMatchObject({
      label: 'again',
      ...only(before, ['lifecycle', ...(transition === 'supersede' ? ['superseded_by'] : [])]),
    });
  });

  test('survives a correction without a descriptor', () => {
    const after = judgedBy('correct', files, { candidate_capsule: whole() });
    expect(jsonOf(after.active)['thread_descriptor']).toEqual(before);
  });
});

test('a descriptor that nothing has moved goes where a whole capsule has none', () => {
  const files = written(whole())(filesOf(capsuleOf({ thread_descriptor: LABEL })));
  expect(jsonOf(files.active)).not.toHaveProperty('thread_descriptor');
});

describe('a successor', () => {
  const files = filesOf(capsuleOf({ thread_descriptor: LABEL }));
  test.each(['', '   ', '\t\n', 'store'])('%j is none', (superseded_by) => {
    const move = { ...SUBJECT, transition: 'supersede', updated_at: ago(0), superseded_by };
    refused('capsule_invalid', () => changeLifecycle(LifecycleRequest.parse(move), files, OCCASION));
    expect(isStored({ thread_descriptor: { ...LABEL, lifecycle: 'superseded', superseded_by } })).toBe(false);
    if (superseded_by === '') return;
    const carried = { lifecycle_transition: 'supersede', superseded_by };
    const capsule = whole({ thread_descriptor: LABEL });
    refused('capsule_invalid', () => upsert(upsertOf(capsule, carried), files, OCCASION));
  });

  test('is needed by a first capsule that is superseded', () => {
    expect(isStored({ thread_descriptor: { ...LABEL, lifecycle: 'superseded' } })).toBe(false);
    expect(isStored({ thread_descriptor: { ...LABEL, lifecycle: 'superseded', superseded_by: 'next' } })).toBe(true);
  });
});
