import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { projectionOf } from '../../../compiler/continuity/coordination/handoff.ts';
import {
  Handoff,
  HandoffConsumeRequest,
  HandoffCreateRequest,
} from '../../../compiler/continuity/schema/coordination/handoff.ts';
import { requireActive } from '../../../compiler/continuity/stored/resolve.ts';
import { upsert } from '../../../compiler/continuity/upsert.ts';
import { anyCapsule } from '../arbitrary.ts';
import { applied, noFiles, OCCASION, refused, upsertOf } from '../capsules.ts';
import { coordination, DRAFT } from './artefacts.ts';

const consumed = (request: object) => HandoffConsumeRequest.parse(request);
const create = { verb: 'createHandoff', request: DRAFT } as const;
const consume = (request: object) => ({ verb: 'consumeHandoff', request: consumed(request) }) as const;

/** A handoff from ann to bob. */
function handed() {
  const { ask } = coordination();
  const { handoff_id: id } = ask('handoff', 'ann', create).value;
  return {
    id,
    ask: (who: string, request: object, more = {}) => ask('handoff', who, consume(request), { id, ...more }),
  };
}

describe('POST /v1/coordination/handoff/create', () => {
  test('property: of a capsule "only active_constraints and drift_signals" cross the boundary', () => {
    fc.assert(
      fc.property(anyCapsule(60), (draft) => {
        const files = applied(noFiles(), upsert(upsertOf(draft), noFiles(), OCCASION));
        const capsule = requireActive(files);
        const shared_continuity = projectionOf(capsule);
        const { active_constraints, drift_signals } = capsule.continuity;
        expect(shared_continuity).toEqual({ active_constraints, drift_signals });
        const { value } = coordination().ask('handoff', 'ann', {
          verb: 'createHandoff',
          request: { ...DRAFT, shared_continuity },
        });
        expect(Handoff.parse(value)).toEqual(value);
        const { shared_continuity: crossed, ...rest } = value;
        expect(crossed).toEqual(shared_continuity);
        // nothing else of it depends on the capsule
        const bare = coordination().ask('handoff', 'ann', create).value;
        expect({ ...rest, shared_continuity: null }).toEqual({ ...bare, shared_continuity: null });
      }),
      { numRuns: 50 },
    );
  });

  test('a new handoff is pending, and names its source, its sender and its recipient', () => {
    const { ask } = coordination();
    const request = { ...DRAFT, task_id: 'issue-7', thread_id: 'store', note: 'yours', commit_message: 'over' };
    expect(ask('handoff', 'ann', { verb: 'createHandoff', request }).value).toEqual({
      handoff_id: 'handoff_1',
      version: 1,
      created_at: '2026-11-23T12:00:00Z',
      updated_at: '2026-11-23T12:00:00Z',
      sender_peer: 'ann',
      recipient_peer: 'bob',
      source_selector: { subject_kind: 'thread', subject_id: 'store' },
      task_id: 'issue-7',
      thread_id: 'store',
      note: 'yours',
      shared_continuity: DRAFT.shared_continuity,
      recipient_status: 'pending',
      recipient_note: null,
      consumed_at: null,
      commit_message: 'over',
    });
  });

  test('nobody hands over to itself', () => {
    const { ask } = coordination();
    expect(refused('coordination_invalid', () => ask('handoff', 'bob', create))).toEqual({ field: 'recipient_peer' });
  });

  const least = { recipient_peer: 'bob', subject_kind: 'thread', subject_id: 'store' };

  test.each([
    ['the least', {}, true],
    ['a peer of 200 characters', { recipient_peer: 'p'.repeat(200) }, true],
    ['a peer of 201', { recipient_peer: 'p'.repeat(201) }, false],
    ['an empty peer', { recipient_peer: '' }, false],
    ['a subject of 201', { subject_id: 's'.repeat(201) }, false],
    ['another kind of subject', { subject_kind: 'repo' }, false],
    ['a task of 200', { task_id: 't'.repeat(200) }, true],
    ['a task of 201', { task_id: 't'.repeat(201) }, false],
    ['a thread of 201', { thread_id: 't'.repeat(201) }, false],
    ['a note of 240', { note: '😀'.repeat(240) }, true],
    ['a note of 241', { note: 'n'.repeat(241) }, false],
    ['null for what is optional', { note: null, task_id: null, thread_id: null, commit_message: null }, true],
    ['what crosses, by hand', { shared_continuity: { active_constraints: ['mine'], drift_signals: [] } }, false],
  ])('a request with %s is valid: %s', (_, more, isValid) => {
    expect(HandoffCreateRequest.safeParse({ ...least, ...more }).success).toBe(isValid);
  });
});

describe('POST /v1/coordination/handoff/{handoff_id}/consume', () => {
  test.each(['accepted_advisory', 'deferred', 'rejected'] as const)(
    'its recipient may answer that it is %s',
    (status) => {
      const { value, isChanged } = handed().ask('bob', { status, note: 'seen' });
      expect(isChanged).toBe(true);
      expect(value).toMatchObject({ recipient_status: status, recipient_note: 'seen', version: 2 });
      expect(value.consumed_at).toBe('2026-11-23T12:00:00Z');
    },
  );

  test('the note may be called reason, and only one of them is sent', () => {
    expect(handed().ask('bob', { status: 'rejected', reason: 'no time' }).value.recipient_note).toBe('no time');
    const both = HandoffConsumeRequest.safeParse({ status: 'rejected', note: 'a', reason: 'a' });
    expect(both.success).toBe(false);
  });

  test('the same answer again changes nothing', () => {
    const { ask } = handed();
    const first = ask('bob', { status: 'rejected', note: 'no' });
    const again = ask('bob', { status: 'rejected', reason: 'no' }, { now: Date.parse('2026-11-24T12:00:00Z') });
    expect(again).toEqual({ value: first.value, isChanged: false });
  });

  test.each([
    ['deferred', 'accepted_advisory', true],
    ['deferred', 'rejected', true],
    ['accepted_advisory', 'rejected', false],
    ['accepted_advisory', 'deferred', false],
    ['rejected', 'accepted_advisory', false],
  ] as const)('after %s it may be %s: %s', (first, second, isAllowed) => {
    const { ask } = handed();
    ask('bob', { status: first });
    const next = () => ask('bob', { status: second });
    if (isAllowed) expect(next().value).toMatchObject({ recipient_status: second, version: 3 });
    else expect(refused('coordination_conflict', next)).toEqual({ recipient_status: first, version: 2 });
  });

  test('the same status with another note is another answer', () => {
    const { ask } = handed();
    ask('bob', { status: 'rejected', note: 'no' });
    refused('coordination_conflict', () => ask('bob', { status: 'rejected', note: 'never' }));
  });

  test('its sender sees it and may not answer it; for anybody else there is none', () => {
    const { ask } = handed();
    refused('instruction_scope_denied', () => ask('ann', { status: 'rejected' }));
    refused('instruction_scope_denied', () => ask('default', { status: 'rejected' }, { isAdmin: true }));
    refused('coordination_not_found', () => ask('eve', { status: 'rejected' }));
    refused('coordination_not_found', () => ask('bob', { status: 'rejected' }, { id: 'handoff_9' }));
  });

  test.each([
    [{ status: 'pending' }, false],
    [{ status: 'accepted' }, false],
    [{ note: 'x' }, false],
    [{ status: 'deferred', note: 'n'.repeat(240) }, true],
    [{ status: 'deferred', note: 'n'.repeat(241) }, false],
    [{ status: 'deferred', reason: 'n'.repeat(241) }, false],
    [{ status: 'deferred', commit_message: 'x' }, false],
  ])('%j is valid: %s', (request, isValid) => {
    expect(HandoffConsumeRequest.safeParse(request).success).toBe(isValid);
  });
});
