import { describe, expect, test } from 'vitest';
import { compare } from '../../compiler/continuity/compare.ts';
import { revalidate } from '../../compiler/continuity/revalidate.ts';
import { CompareAnswer, CompareRequest, RevalidateRequest } from '../../compiler/continuity/schema/compare.ts';
import { SignalKind } from '../../compiler/continuity/schema/words.ts';
import type { SubjectFiles } from '../../compiler/continuity/stored/subject.ts';
import { ago, applied, capsuleOf, jsonOf, noFiles, OCCASION, refused, stored, without, type Json } from './capsules.ts';

const SUBJECT = { subject_kind: 'thread', subject_id: 'store' };
const signal = (kind: string, more: Json = {}) => ({
  kind,
  source_ref: `log of ${kind}`,
  observed_at: ago(30),
  summary: 'as it says',
  ...more,
});
const SELF = [signal('self_review')];
const USER = [signal('self_review'), signal('user_confirmation'), signal('external_observation')];

const compareWith = (candidate: Json, signals: Json[] = SELF, files = stored()) =>
  compare(CompareRequest.parse({ ...SUBJECT, candidate_capsule: candidate, signals }), files, OCCASION);

const revalidateWith = (outcome: string, more: Json = {}, files: SubjectFiles = stored()) =>
  revalidate(RevalidateRequest.parse({ ...SUBJECT, outcome, signals: USER, ...more }), files, OCCASION);

describe('POST /v1/continuity/compare', () => {
  test('the same capsule is identical: confirm it', () => {
    const answer = compareWith(capsuleOf());
    expect(answer).toEqual({
      ok: true,
      path: 'memory/continuity/thread-store.json',
      identical: true,
      changed_fields: [],
      strongest_signal: 'self_review',
      recommended_outcome: 'confirm',
      content_kind: 'agent_authored',
    });
    expect(CompareAnswer.parse(answer)).toEqual(answer);
  });

  test('changed fields are dotted paths in the order of the schema; a list is one of them', () => {
    const files = stored({ thread_descriptor: { label: 'a' }, metadata: { b: 1, a: 1 } });
    const candidate = capsuleOf(
      {
        updated_at: ago(0),
        thread_descriptor: { label: 'b', lifecycle: 'suspended' },
        metadata: { b: 2, a: 2 },
        confidence: { continuity: 0.8, relationship_model: 0.6 },
        freshness: { freshness_class: 'durable' },
      },
      { drift_signals: ['one', 'two'], open_loops: [], retrieval_hints: { avoid: ['x'] } },
    );
    expect(compareWith(candidate, SELF, files).changed_fields).toEqual([
      'updated_at',
      'continuity.open_loops',
      'continuity.drift_signals',
      'continuity.retrieval_hints',
      'confidence.relationship_model',
      'freshness',
      'metadata.a',
      'metadata.b',
      'thread_descriptor.label',
      'thread_descriptor.lifecycle',
    ]);
  });

  test('how far it is verified is no difference, nor are times and a lifecycle that the system manages', () => {
    const files = stored(
      { thread_descriptor: { label: 'a', lifecycle: 'suspended' } },
      { negative_decisions: [{ decision: 'a', rationale: 'b' }] },
    );
    const candidate = capsuleOf(
      {
        thread_descriptor: { label: 'a' },
        verified_at: ago(1),
        verification_kind: 'system_check',
        capsule_health: { status: 'degraded', last_checked_at: ago(1) },
      },
      { negative_decisions: [{ decision: 'a', rationale: 'b' }] },
    );
    expect(compareWith(candidate, SELF, files).changed_fields).toEqual([]);
  });

  test.each([
    ['self_review', 'conflict'],
    ['external_observation', 'correct'],
    ['system_check', 'correct'],
  ])('what differs, with %s as the strongest signal: %s', (kind, outcome) => {
    const candidate = capsuleOf({}, { open_loops: ['another'] });
    const answer = compareWith(candidate, [signal('self_review'), signal(kind)]);
    expect(answer).toMatchObject({ identical: false, strongest_signal: kind, recommended_outcome: outcome });
  });

  test('the strength of signals is that of the schema, whatever their order', () => {
    const kinds = [...SignalKind.options].reverse();
    const strongest = kinds.map(
      (_, at) =>
        compareWith(
          capsuleOf(),
          kinds.slice(at).map((it) => signal(it)),
        ).strongest_signal,
    );
    expect(strongest).toEqual(kinds);
  });

  test('the candidate has to be complete, and of the subject; there is one signal at least and eight at most', () => {
    const parse = (more: Json) =>
      CompareRequest.safeParse({ ...SUBJECT, candidate_capsule: capsuleOf(), signals: SELF, ...more }).success;
    expect(parse({})).toBe(true);
    expect(parse({ candidate_capsule: without(capsuleOf(), 'confidence') })).toBe(false);
    const signals = (count: number) => Array.from({ length: count }, () => signal('self_review'));
    expect([0, 1, 8, 9].map((count) => parse({ signals: signals(count) }))).toEqual([false, true, true, false]);
    refused('capsule_invalid', () => compareWith(capsuleOf({ subject_id: 'other' })));
  });

  test('there has to be an active capsule, and signals are not of the future', () => {
    refused('capsule_not_found', () => compareWith(capsuleOf(), SELF, noFiles()));
    refused('capsule_invalid', () => compareWith(capsuleOf(), [signal('self_review', { observed_at: ago(-301) })]));
  });
});

describe('POST /v1/continuity/revalidate', () => {
  const NOW_TEXT = ago(0);
  const evidence = USER.map((it) => it.source_ref);

  test('a correction moves no lifecycle: what has ended begins anew by no candidate', () => {
    const files = stored({ thread_descriptor: { label: 'a', lifecycle: 'concluded' } });
    const descriptor = { label: 'b', lifecycle: 'active', superseded_by: 'next' };
    const candidate_capsule = capsuleOf({ updated_at: ago(0), thread_descriptor: descriptor });
    const after = (it: SubjectFiles) =>
      jsonOf(applied(it, revalidateWith('correct', { candidate_capsule }, it)).active)['thread_descriptor'];
    expect(after(files)).toMatchObject({ label: 'b', lifecycle: 'concluded' });
    expect(after(files)).not.toHaveProperty('superseded_by');
    // the first one of a capsule says where it begins
    expect(after(stored())).toMatchObject({ label: 'b', lifecycle: 'active' });
  });

  test('confirm: verified now, by the strongest signal; what the capsule says and its updated_at stay', () => {
    const files = stored();
    const change = revalidateWith('confirm');
    const after = jsonOf(applied(files, change).active);
    expect(after).toEqual({
      ...jsonOf(files.active),
      verified_at: NOW_TEXT,
      verification_kind: 'user_confirmation',
      verification_state: {
        status: 'user_confirmed',
        last_revalidated_at: NOW_TEXT,
        strongest_signal: 'user_confirmation',
        evidence_refs: evidence,
      },
      capsule_health: { status: 'healthy', reasons: [], last_checked_at: NOW_TEXT },
    });
    expect(change.answer).toMatchObject({ outcome: 'confirm', updated: true, recovery_warnings: [] });
    expect(change.answer.verification_state).toEqual(after['verification_state']);
  });

  test.each([
    ['self_review', 'self_attested'],
    ['external_observation', 'externally_supported'],
    ['peer_confirmation', 'peer_confirmed'],
    ['user_confirmation', 'user_confirmed'],
    ['system_check', 'system_confirmed'],
  ])('confirmed by %s, a capsule is %s', (kind, status) => {
    const { verification_state } = revalidateWith('confirm', { signals: [signal(kind)] }).answer;
    expect(verification_state).toMatchObject({ status, strongest_signal: kind });
  });

  test('degrade: the reason is in the health; it is not verified again', () => {
    const after = jsonOf(applied(stored(), revalidateWith('degrade', { reason: 'the branch is gone' })).active);
    expect(after).toMatchObject({
      verified_at: ago(120),
      verification_state: { status: 'unverified', last_revalidated_at: NOW_TEXT },
      capsule_health: { status: 'degraded', reasons: ['the branch is gone'] },
    });
  });

  test('conflict: the reason is the conflict_summary too', () => {
    const after = jsonOf(applied(stored(), revalidateWith('conflict', { reason: 'two truths' })).active);
    expect(after).toMatchObject({
      verification_state: { status: 'conflicted', conflict_summary: 'two truths' },
      capsule_health: { status: 'conflicted', reasons: ['two truths'] },
    });
  });

  test('a reason is never invented', () => {
    const { verification_state, capsule_health } = revalidateWith('conflict').answer;
    expect(verification_state).not.toHaveProperty('conflict_summary');
    expect(capsule_health.reasons).toEqual([]);
  });

  test('correct: the candidate takes the place of the active capsule, and has to be newer if it differs', () => {
    const candidate = (more: Json) => ({ candidate_capsule: capsuleOf(more, { open_loops: ['another'] }) });
    const after = jsonOf(applied(stored(), revalidateWith('correct', candidate({ updated_at: ago(10) }))).active);
    expect(after).toMatchObject({
      updated_at: ago(10),
      verified_at: NOW_TEXT,
      continuity: { open_loops: ['another'] },
      capsule_health: { status: 'healthy' },
    });
    refused('capsule_stale', () => revalidateWith('correct', candidate({ updated_at: ago(60) })));
    expect(revalidateWith('correct', { candidate_capsule: capsuleOf() }).answer.updated).toBe(true);
  });

  test('correct needs a candidate, and nothing else takes one', () => {
    const isValid = (outcome: string, more: Json) =>
      RevalidateRequest.safeParse({ ...SUBJECT, outcome, signals: USER, ...more }).success;
    expect(isValid('correct', {})).toBe(false);
    expect(isValid('confirm', { candidate_capsule: capsuleOf() })).toBe(false);
    expect(isValid('confirm', { candidate_capsule: null })).toBe(true);
  });

  test('a reason has 1 to 120 characters', () => {
    const isValid = (length: number) =>
      RevalidateRequest.safeParse({ ...SUBJECT, outcome: 'degrade', signals: USER, reason: 'x'.repeat(length) })
        .success;
    expect([0, 1, 120, 121].map(isValid)).toEqual([false, true, true, false]);
  });

  test('of eight signals a capsule keeps the first four as evidence', () => {
    const signals = Array.from({ length: 8 }, (_, at) => signal('self_review', { source_ref: `ref ${at}` }));
    expect(revalidateWith('confirm', { signals }).answer.verification_state.evidence_refs).toEqual([
      'ref 0',
      'ref 1',
      'ref 2',
      'ref 3',
    ]);
  });

  test('the same confirmation in the same second changes nothing', () => {
    const files = applied(stored(), revalidateWith('confirm'));
    const again = revalidateWith('confirm', {}, files);
    expect([again.writes.size, again.answer.updated]).toEqual([0, false]);
  });

  test('a capsule with a malformed verified_at is mended by a confirmation', () => {
    const active = Buffer.from(JSON.stringify({ ...jsonOf(stored().active), verified_at: 'once' }));
    const files = { ...stored(), active };
    refused('capsule_damaged', () => revalidateWith('degrade', {}, files));
    expect(jsonOf(applied(files, revalidateWith('confirm', {}, files)).active)).toMatchObject({
      verified_at: NOW_TEXT,
    });
  });
});
