import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { itemAt } from '../../../compiler/continuity/schedule/item.ts';
import { ScheduleItem } from '../../../compiler/continuity/schema/schedule/item.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { ago, NOW, refused, type Json } from '../capsules.ts';
import { ACTOR, inSeconds, scheduleInMemory, updateOf } from './items.ts';

const HOUR = 3_600_000;

describe('POST /v1/schedule/items', () => {
  test('an item has every field of the specification, and one clock reading in all its times', () => {
    const { item, kind } = scheduleInMemory().create({ task_id: 'a', metadata: { b: 1 } }, NOW + 999);
    expect(kind).toBe('insert');
    const answered = itemAt(item, NOW);
    expect(ScheduleItem.parse(answered)).toEqual(answered);
    expect(answered).toEqual({
      schedule_id: item.schedule_id,
      kind: 'reminder',
      status: 'pending',
      derived_state: 'scheduled',
      title: 'ask Ann',
      note: null,
      due_at: inSeconds(3600),
      ...{ created_at: ago(0), updated_at: ago(0), created_by: ACTOR, updated_by: ACTOR },
      ...{ terminal_at: null, terminal_by: null, terminal_reason: null },
      ...{ task_id: 'a', thread_id: null, subject_kind: null, subject_id: null },
      idempotency_key: null,
      metadata: { b: 1 },
      version: 1,
    });
  });

  test('without an id it is the sha256 of what the creation said, as sorted compact JSON', () => {
    const change = scheduleInMemory().create({ note: 'Größe' });
    if (change.kind !== 'insert') throw new Error('it is new');
    const { create_identity_json: json, create_identity_hash: hash } = change.proposed.identity;
    expect(hash).toBe(sha256(json));
    expect(change.item.schedule_id).toBe(`sched_${hash.slice(0, 32)}`);
    expect(json).toBe(JSON.stringify(JSON.parse(json)));
    expect(Object.keys(JSON.parse(json) as Json)).toEqual([
      'created_by',
      'due_at',
      'idempotency_key',
      'kind',
      'metadata',
      'note',
      'subject_id',
      'subject_kind',
      'task_id',
      'thread_id',
      'title',
    ]);
    expect(json).toContain('Größe');
  });

  test('the same again is the same item, "even if mutable row fields change later", and even once it is due', () => {
    const schedule = scheduleInMemory();
    const { item } = schedule.create({ idempotency_key: 'k' });
    const { schedule_id } = item;
    schedule.apply({ verb: 'update', schedule_id, request: updateOf({ title: 'ask Bob', due_at: inSeconds(60) }) });
    const again = schedule.create({ idempotency_key: 'k' }, NOW + 2 * HOUR);
    expect([again.kind, again.item.title, again.item.version]).toEqual(['same', 'ask Bob', 2]);
    schedule.apply({ verb: 'retire', schedule_id, request: {} });
    expect(schedule.create({ idempotency_key: 'k' }).item.status).toBe('retired');
    expect(schedule.known.size).toBe(1);
  });

  test('a key of another item is idempotency_conflict, an id of another item schedule_conflict', () => {
    const schedule = scheduleInMemory();
    schedule.create({ schedule_id: 'sched_a', idempotency_key: 'k' });
    refused('idempotency_conflict', () => schedule.create({ schedule_id: 'sched_a', idempotency_key: 'k', note: 'x' }));
    refused('idempotency_conflict', () => schedule.create({ idempotency_key: 'k', title: 'other' }));
    refused('schedule_conflict', () => schedule.create({ schedule_id: 'sched_a' }));
    schedule.create({ schedule_id: 'sched_b', idempotency_key: 'l' });
    refused('idempotency_conflict', () => schedule.create({ schedule_id: 'sched_b', idempotency_key: 'k' }));
    // another caller says something else
    refused('idempotency_conflict', () =>
      schedule.create({ schedule_id: 'sched_a', idempotency_key: 'k' }, NOW, 'acme/agent/other'),
    );
  });

  test('"Create and pending due-at updates require a future due time"', () => {
    const schedule = scheduleInMemory();
    const { item } = schedule.create();
    for (const seconds of [0, -1]) {
      refused('schedule_invalid', () => schedule.create({ title: 'past', due_at: inSeconds(seconds) }));
      const request = updateOf({ due_at: inSeconds(seconds) });
      refused('schedule_invalid', () => schedule.apply({ verb: 'update', schedule_id: item.schedule_id, request }));
    }
    expect(schedule.create({ title: 'soon', due_at: inSeconds(1) }, NOW + 999).kind).toBe('insert');
  });

  test('a task_nudge is about something', () => {
    const schedule = scheduleInMemory();
    refused('schedule_invalid', () => schedule.create({ kind: 'task_nudge' }));
    const links = [{ task_id: 'a' }, { thread_id: 'a' }, { subject_kind: 'user', subject_id: 'ann' }];
    for (const link of links) expect(schedule.create({ kind: 'task_nudge', ...link }).kind).toBe('insert');
    const { item } = schedule.create({ kind: 'task_nudge', title: 'x', task_id: 'a' });
    const request = updateOf({ task_id: null });
    refused('schedule_invalid', () => schedule.apply({ verb: 'update', schedule_id: item.schedule_id, request }));
  });
});

describe('derived_state', () => {
  test('"due for pending rows with due_at_ts <= now_ts, and scheduled for pending rows in the future"', () => {
    const { item } = scheduleInMemory().create({ due_at: inSeconds(10) });
    const states = [9_999, 10_000, 10_001].map((ms) => itemAt(item, NOW + ms).derived_state);
    expect(states).toEqual(['scheduled', 'due', 'due']);
  });

  test.each(['acknowledged', 'done', 'retired'] as const)('terminal for %s rows, due or not', (status) => {
    const { item } = scheduleInMemory().create();
    expect([0, 2 * HOUR].map((ms) => itemAt({ ...item, status }, NOW + ms).derived_state)).toEqual([
      'terminal',
      'terminal',
    ]);
  });
});

describe('PATCH /v1/schedule/items/{schedule_id}', () => {
  const LATER = NOW + 60_000;

  test('changes what it names, keeps the rest, and null clears what is optional', () => {
    const schedule = scheduleInMemory();
    const { item } = schedule.create({ note: 'n', task_id: 'a', metadata: { b: 1 } });
    const request = updateOf({ title: 'ask Bob', note: null, metadata: null });
    const { schedule_id } = item;
    const change = schedule.apply({ verb: 'update', schedule_id, request }, LATER, 'acme/entity/boss');
    expect(change).toEqual({
      kind: 'replace',
      item: {
        ...item,
        ...{ title: 'ask Bob', note: null, metadata: {}, version: 2 },
        ...{ updated_at: inSeconds(60), updated_by: 'acme/entity/boss' },
      },
    });
  });

  test('the same values change nothing, the version included', () => {
    const schedule = scheduleInMemory();
    const { item } = schedule.create();
    const change = schedule.apply(
      {
        ...{ verb: 'update', schedule_id: item.schedule_id },
        request: updateOf({ title: 'ask Ann', note: null }),
      },
      LATER,
    );
    expect(change).toEqual({ kind: 'same', item });
  });

  test('another version, and an item that is closed, are conflicts; an item that is not there is not found', () => {
    const schedule = scheduleInMemory();
    const { schedule_id } = schedule.create().item;
    const change = (version: number) =>
      schedule.apply({ verb: 'update', schedule_id, request: updateOf({ expected_version: version, title: 'x' }) });
    expect(refused('schedule_conflict', () => change(2))).toMatchObject({ version: 1, expected_version: 2 });
    schedule.apply({ verb: 'acknowledge', schedule_id, request: {} });
    expect(refused('schedule_conflict', () => change(2))).toMatchObject({ status: 'acknowledged' });
    const request = updateOf({ title: 'x' });
    refused('schedule_not_found', () => schedule.apply({ verb: 'update', schedule_id: 'sched_none', request }));
  });
});

describe('POST /v1/schedule/items/{schedule_id}/acknowledge and /retire', () => {
  test('an acknowledgement says who, when and why; an empty reason is none', () => {
    const schedule = scheduleInMemory();
    const { item } = schedule.create();
    const { schedule_id } = item;
    const request = { expected_version: 1, status: 'done', reason: 'Ann did' } as const;
    const closed = schedule.apply({ verb: 'acknowledge', schedule_id, request }, NOW + 1000, 'acme/agent/b');
    expect(closed.item).toEqual({
      ...item,
      ...{ status: 'done', terminal_at: inSeconds(1), terminal_by: 'acme/agent/b', terminal_reason: 'Ann did' },
      ...{ updated_at: inSeconds(1), updated_by: 'acme/agent/b', version: 2 },
    });
    const other = schedule.create({ title: 'b' }).item.schedule_id;
    const plain = schedule.apply({ verb: 'acknowledge', schedule_id: other, request: { reason: '' } });
    expect(plain.item).toMatchObject({ status: 'acknowledged', terminal_reason: null });
  });

  test('the same again changes nothing; another status, reason or version is a conflict', () => {
    const schedule = scheduleInMemory();
    const { schedule_id } = schedule.create().item;
    const ack = (request: Json) => schedule.apply({ verb: 'acknowledge', schedule_id, request });
    refused('schedule_conflict', () => ack({ expected_version: 7 }));
    expect(ack({ reason: 'x' }).kind).toBe('replace');
    expect(ack({ reason: 'x' }).kind).toBe('same');
    expect(ack({ reason: 'x', expected_version: 2 }).kind).toBe('same');
    for (const other of [{ reason: 'y' }, { reason: 'x', status: 'done' }, { reason: 'x', expected_version: 1 }])
      refused('schedule_conflict', () => ack(other));
  });

  test('what was acknowledged can be retired; what is retired stays so', () => {
    const schedule = scheduleInMemory();
    const { schedule_id } = schedule.create().item;
    schedule.apply({ verb: 'acknowledge', schedule_id, request: {} });
    const retire = (request: Json) => schedule.apply({ verb: 'retire', schedule_id, request });
    expect(retire({ expected_version: 2 }).item).toMatchObject({ status: 'retired', version: 3 });
    expect(retire({}).kind).toBe('same');
    refused('schedule_conflict', () => retire({ reason: 'another' }));
    refused('schedule_conflict', () => schedule.apply({ verb: 'acknowledge', schedule_id, request: {} }));
  });
});

test('property: no sequence of commands changes what a creation said, or leads back to pending', () => {
  const command = fc.oneof(
    fc.record({
      verb: fc.constant('update'),
      title: fc.constantFrom('a', 'b'),
      version: fc.integer({ min: 1, max: 4 }),
    }),
    fc.record({ verb: fc.constantFrom('acknowledge', 'retire'), reason: fc.constantFrom('', 'x') }),
  );
  fc.assert(
    fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
      const schedule = scheduleInMemory();
      const { item } = schedule.create();
      const { schedule_id } = item;
      const { identity } = schedule.known.get(schedule_id)!;
      let wasClosed = false;
      for (const it of commands) {
        const before = schedule.known.get(schedule_id)!.item;
        try {
          if ('title' in it) {
            const request = updateOf({ expected_version: it.version, title: it.title });
            schedule.apply({ verb: 'update', schedule_id, request });
          } else schedule.apply({ verb: it.verb as 'retire', schedule_id, request: { reason: it.reason } });
        } catch {
          expect(schedule.known.get(schedule_id)!.item).toBe(before);
        }
        const { item: after, identity: kept } = schedule.known.get(schedule_id)!;
        expect(kept).toEqual(identity);
        expect([after.created_at, after.created_by]).toEqual([item.created_at, item.created_by]);
        expect(after.version).toBe(before === after ? before.version : before.version + 1);
        if (wasClosed) expect(after.status).not.toBe('pending');
        wasClosed ||= after.status !== 'pending';
      }
      expect(schedule.create().kind).toBe('same');
    }),
    { numRuns: 100 },
  );
});
