import { describe, expect, test } from 'vitest';
import { propose } from '../../../compiler/continuity/schedule/create.ts';
import { ScheduleTime } from '../../../compiler/continuity/schema/schedule/item.ts';
import {
  AcknowledgeScheduleRequest,
  CreateScheduleRequest,
  ListScheduleQuery,
  UpdateScheduleRequest,
} from '../../../compiler/continuity/schema/schedule/requests.ts';
import { SCHEDULE_ENVIRONMENT } from '../../../compiler/continuity/schema/schedule/settings.ts';
import { scheduleFrom } from '../../../compiler/continuity/use-cases/capsules-place.ts';
import { NOW, refused, type Json } from '../capsules.ts';
import { ACTOR, createOf, inSeconds } from './items.ts';

const isValid = (more: Json): boolean =>
  CreateScheduleRequest.safeParse({ kind: 'reminder', title: 'ask', due_at: inSeconds(60), ...more }).success;
const sizes = (name: string, most: number) => [most, most + 1].map((count) => isValid({ [name]: 'é'.repeat(count) }));
const proposal = (more: Json) => propose(createOf(more), { now: NOW, actor: ACTOR });

describe('schedule: "Client timestamps must be exact UTC seconds strings"', () => {
  test.each([
    ['2026-11-24T09:00:00Z', true],
    ['2028-02-29T23:59:59Z', true],
    ['2026-11-24T09:00:00+00:00', false],
    ['2026-11-24T09:00:00+02:00', false],
    ['2026-11-24T09:00:00', false],
    ['2026-11-24T09:00:00.000Z', false],
    ['2026-11-24T09:00Z', false],
    ['2026-11-24 09:00:00Z', false],
    ['2026-11-24t09:00:00z', false],
    ['2026-02-30T09:00:00Z', false],
    ['2026-11-24T24:00:00Z', false],
    ['2026-11-24T09:00:60Z', false],
    [' 2026-11-24T09:00:00Z', false],
    ['2026-11-24T09:00:00Z\n', false],
    ['1764000000', false],
  ])('%j: %s', (time, isTime) => {
    expect(ScheduleTime.safeParse(time).success).toBe(isTime);
  });
});

describe('schedule: the limits of an item', () => {
  test('title 1 to 160 characters, note 1,000, ids and keys 200', () => {
    expect(sizes('title', 160)).toEqual([true, false]);
    expect(sizes('note', 1000)).toEqual([true, false]);
    for (const id of ['task_id', 'thread_id', 'idempotency_key']) expect(sizes(id, 200)).toEqual([true, false]);
    expect(['', '  ', 7, null].map((title) => isValid({ title }))).toEqual([false, false, false, false]);
    const reason = (count: number) => AcknowledgeScheduleRequest.safeParse({ reason: 'x'.repeat(count) }).success;
    expect([reason(500), reason(501)]).toEqual([true, false]);
  });

  test('white space around a title and a note does not count, and is not stored', () => {
    expect(proposal({ title: ` ask ${' '.repeat(200)}`, note: '\n' }).item).toMatchObject({ title: 'ask', note: '' });
  });

  test('ids are sched_ and at most 58 lower-case letters, digits, _ and -', () => {
    const id = (schedule_id: string) => isValid({ schedule_id });
    const good = ['sched_a', `sched_${'a'.repeat(58)}`, 'sched_0_b-c'];
    const bad = ['sched_', 'sched_A', 'sched__', `sched_${'a'.repeat(59)}`, '../sched_a', 'a'];
    expect([...good.map(id), ...bad.map(id)]).toEqual([...good.map(() => true), ...bad.map(() => false)]);
  });

  test('subject_kind and subject_id come together, on create, update and list', () => {
    expect(isValid({ subject_kind: 'user' })).toBe(false);
    expect(isValid({ subject_kind: 'user', subject_id: 'ann' })).toBe(true);
    const change = (more: Json) => UpdateScheduleRequest.safeParse({ expected_version: 1, ...more }).success;
    expect(change({ subject_id: 'ann' })).toBe(false);
    expect(change({ subject_id: null })).toBe(false);
    expect(change({ subject_kind: null, subject_id: null })).toBe(true);
    expect(ListScheduleQuery.safeParse({ subject_kind: 'user' }).success).toBe(false);
  });

  test('an update names a version, and something to change', () => {
    const change = (more: Json) => UpdateScheduleRequest.safeParse(more).success;
    expect(change({ expected_version: 1 })).toBe(false);
    expect(change({ title: 'x' })).toBe(false);
    expect([0, 1.5, '1'].map((expected_version) => change({ expected_version, title: 'x' }))).toEqual([
      ...[false, false, false],
    ]);
  });

  test('a list has 1 to 200 rows, and starts at most 10,000 later', () => {
    const rows = (query: Json) => ListScheduleQuery.safeParse(query).success;
    expect(['0', '1', '200', '201', 'x'].map((limit) => rows({ limit }))).toEqual([false, true, true, false, false]);
    expect(['-1', '0', '10000', '10001'].map((offset) => rows({ offset }))).toEqual([false, true, true, false]);
    expect(ListScheduleQuery.parse({})).toMatchObject({ limit: 50, offset: 0 });
  });
});

describe('schedule: "metadata is a flat JSON object with scalar values only"', () => {
  test.each([
    [{}, true],
    [{ a: 'x', b: 1.5, c: true, d: null }, true],
    [{ a: [] }, false],
    [{ a: {} }, false],
    [{ a: Number.POSITIVE_INFINITY }, false],
    [{ a: Number.NaN }, false],
    [{ a: '\ud800' }, false],
    [[], false],
    ['x', false],
  ])('%j: %s', (metadata, isFlat) => {
    expect(isValid({ metadata })).toBe(isFlat);
  });

  test('its sorted compact JSON, in which é is one character, has at most 2,048 bytes of UTF-8', () => {
    // the identity of the creation, which has the metadata in it, reaches the limit first
    const padded = (count: number) => proposal({ metadata: { z: 'é'.repeat(count), a: 1 } });
    const size = (count: number) => Buffer.byteLength(padded(count).identity.create_identity_json);
    const room = Math.floor((2048 - size(0)) / 2);
    expect(size(room)).toBeLessThanOrEqual(2048);
    expect(refused('schedule_invalid', () => padded(room + 1))).toMatchObject({ limit: 2048 });
    expect(refused('schedule_invalid', () => padded(1020))).toMatchObject({ field: 'metadata' });
    expect(padded(1).identity.create_identity_json).toContain('"metadata":{"a":1,"z":"é"}');
  });

  test('the identity of a creation is bounded too: a long note in Greek does not fit', () => {
    expect(proposal({ note: 'x'.repeat(1000) }).item.version).toBe(1);
    expect(refused('schedule_invalid', () => proposal({ note: 'λ'.repeat(1000) }))).toMatchObject({ limit: 2048 });
  });
});

describe('schedule: "User-facing schedule settings are exactly" three', () => {
  const RANGES: [name: string, given: number, least: number, most: number][] = [
    ['COGNIRELAY_SCHEDULE_DUE_LIMIT', 10, 1, 100],
    ['COGNIRELAY_SCHEDULE_UPCOMING_LIMIT', 5, 0, 100],
    ['COGNIRELAY_SCHEDULE_UPCOMING_WINDOW_HOURS', 72, 1, 720],
  ];
  const valueOf = (name: string, value?: string) => {
    const settings = scheduleFrom(value === undefined ? {} : { [name]: value });
    return Object.values(settings)[RANGES.findIndex(([it]) => it === name)];
  };

  test('their names are those of the specification', () => {
    expect(Object.keys(SCHEDULE_ENVIRONMENT)).toEqual(RANGES.map(([name]) => name));
  });

  test.each(RANGES)('%s is %i without a value, and %i to %i', (name, given, least, most) => {
    expect([valueOf(name), valueOf(name, String(least)), valueOf(name, String(most))]).toEqual([given, least, most]);
    for (const wrong of [String(least - 1), String(most + 1), 'x', '', '1.5', '1e1'])
      refused('argument_invalid', () => valueOf(name, wrong));
  });

  test('a fourth one is refused: the timeouts of SQLite are constants', () => {
    refused('argument_invalid', () => scheduleFrom({ COGNIRELAY_SCHEDULE_SQLITE_BUSY_TIMEOUT_MS: '5' }));
    expect(scheduleFrom({ OTHER: 'x' }).dueLimit).toBe(10);
  });
});
