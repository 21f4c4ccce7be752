import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { dueQuery } from '../../../../compiler/continuity/schedule/context.ts';
import { ListScheduleQuery } from '../../../../compiler/continuity/schema/schedule/requests.ts';
import { ScheduleSettings } from '../../../../compiler/continuity/schema/schedule/settings.ts';
import { SCHEDULE } from '../../../../server/continuity/schedule/format.ts';
import { readSchedule } from '../../../../server/continuity/schedule/schedule-reader.ts';
import { openScheduleWriter } from '../../../../server/continuity/schedule/schedule-writer.ts';
import { openRecords } from '../../../../server/continuity/state/record-file.ts';
import { NOW, refused, type Json } from '../../../continuity/capsules.ts';
import { ACTOR, createOf, inSeconds, updateOf } from '../../../continuity/schedule/items.ts';
import { tempFolder } from '../../../support/folder.ts';

const SETTINGS = ScheduleSettings.parse({});

let path: string;

beforeEach(() => {
  path = join(tempFolder(), 'ada.schedule.db');
});

/** A schedule that is open for changes; it is closed with the test. */
function opened() {
  const writer = openScheduleWriter(path);
  onTestFinished(writer.end);
  const create = (more: Json = {}) =>
    writer.change({ verb: 'create', request: createOf(more) }, { now: NOW, actor: ACTOR }).item;
  return { ...writer, create };
}

/** Result of work on a connection to the file. */
function sql<T>(work: (db: Database.Database) => T): T {
  const db = new Database(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const reading = <T>(work: (schedule: ReturnType<typeof readSchedule>) => T): T => sql((db) => work(readSchedule(db)));
const subject = (subject_kind: 'user' | 'thread' | 'task', subject_id: string) => ({ subject_kind, subject_id });

function dueFor(subjects: ReturnType<typeof subject>[], settings: Partial<ScheduleSettings> = {}, at = NOW) {
  const { due, upcoming, warnings } = reading((it) => it.due(dueQuery(subjects, { ...SETTINGS, ...settings }, at)));
  return { due: due.map((it) => it.title), upcoming: upcoming.map((it) => it.title), warnings };
}

describe('the schedule of an owner', () => {
  test('is made with its tables, its indexes and the row of its migration, and only once', () => {
    expect(opened().wasMissing).toBe(true);
    expect(opened().wasMissing).toBe(false);
    expect(sql((db) => db.prepare('SELECT version FROM migrations').pluck().all())).toEqual([1]);
    expect(sql((db) => db.pragma('journal_mode', { simple: true }))).toBe('wal');
    const db = openRecords(path, SCHEDULE);
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    db.close();
  });

  test('an empty file, as a killed process may leave one, is a missing schedule', () => {
    writeFileSync(path, '');
    expect(opened().wasMissing).toBe(true);
  });

  test('of a later version, or of another program, is refused and left alone', () => {
    opened().end();
    sql((db) => db.pragma('user_version = 9'));
    refused('continuity_unusable', () => openScheduleWriter(path));
    expect(sql((db) => db.pragma('user_version', { simple: true }))).toBe(9);
    rmSync(path);
    sql((db) => db.exec('CREATE TABLE other (a)'));
    refused('continuity_unusable', () => openScheduleWriter(path));
  });

  test('keeps an item as it was answered, in another connection too', () => {
    const item = opened().create({
      note: 'Größe',
      subject_kind: 'user',
      subject_id: 'ann',
      metadata: { b: 1, a: null },
    });
    expect(reading((it) => it.get(item.schedule_id))).toEqual(item);
    expect(reading((it) => it.get('sched_none'))).toBeNull();
  });

  test('a refused command changes nothing', () => {
    const schedule = opened();
    const { schedule_id } = schedule.create();
    const request = updateOf({ expected_version: 9, title: 'x' });
    refused('schedule_conflict', () =>
      schedule.change({ verb: 'update', schedule_id, request }, { now: NOW, actor: '' }),
    );
    expect(reading((it) => it.get(schedule_id)?.version)).toBe(1);
  });

  test.each(['create_identity_hash', 'create_identity_json', 'created_by', 'created_at', 'idempotency_key'])(
    '"create_identity_hash and create_identity_json are immutable after creation": %s cannot be updated',
    (column) => {
      opened().create();
      expect(() => sql((db) => db.exec(`UPDATE items SET ${column} = '${'0'.repeat(64)}'`))).toThrow('does not change');
    },
  );

  test('a row that does not keep to the schema is left out with a warning, and cannot be changed', () => {
    const schedule = opened();
    const { schedule_id } = schedule.create({ thread_id: 'a', title: 'good', due_at: inSeconds(60) });
    const bad = schedule.create({ thread_id: 'a', title: 'bad', due_at: inSeconds(61) });
    sql((db) => db.prepare("UPDATE items SET metadata = '[]' WHERE schedule_id = ?").run(bad.schedule_id));
    expect(dueFor([subject('thread', 'a')])).toEqual({
      ...{ due: [], upcoming: ['good'], warnings: ['schedule_rows_skipped'] },
    });
    const page = reading((it) => it.list(ListScheduleQuery.parse({}), NOW / 1000));
    expect([page.items.map((it) => it.schedule_id), page.skipped]).toEqual([[schedule_id], true]);
    refused('continuity_unusable', () => reading((it) => it.get(bad.schedule_id)));
    const retire = { verb: 'retire', schedule_id: bad.schedule_id, request: {} } as const;
    refused('continuity_unusable', () => schedule.change(retire, { now: NOW, actor: ACTOR }));
  });
});

describe('schedule_context: "exact thread/task/subject matching with thread and task aliasing"', () => {
  test('an item is found by its subject, and by the thread and the task that it names', () => {
    const { create } = opened();
    create({ title: 'by thread_id', thread_id: 'a', due_at: inSeconds(1) });
    create({ title: 'by thread', ...subject('thread', 'a'), due_at: inSeconds(2) });
    create({ title: 'by both', thread_id: 'a', ...subject('thread', 'a'), due_at: inSeconds(3) });
    create({ title: 'by task_id', task_id: 'a', due_at: inSeconds(4) });
    create({ title: 'by user', ...subject('user', 'a'), due_at: inSeconds(5) });
    create({ title: 'global', due_at: inSeconds(6) });
    create({ title: 'longer', thread_id: 'ab', due_at: inSeconds(7) });
    expect(dueFor([subject('thread', 'a')]).upcoming).toEqual(['by thread_id', 'by thread', 'by both']);
    expect(dueFor([subject('task', 'a')]).upcoming).toEqual(['by task_id']);
    expect(dueFor([subject('user', 'a')]).upcoming).toEqual(['by user']);
    // "unrelated global reminders are not injected"
    const all = [subject('user', 'a'), subject('task', 'a'), subject('thread', 'a')];
    expect(dueFor(all, { upcomingLimit: 9 }).upcoming).not.toContain('global');
    expect(dueFor(all, { upcomingLimit: 9 }).upcoming).toHaveLength(5);
  });

  test('due from its second on, upcoming until the end of the window, and nothing that is closed', () => {
    const schedule = opened();
    const of = (title: string, seconds: number) =>
      schedule.create({ title, thread_id: 'a', due_at: inSeconds(seconds) });
    of('due', 10);
    of('at the end', 10 + 3600);
    of('beyond', 11 + 3600);
    const { schedule_id } = of('closed', 5);
    schedule.change({ verb: 'acknowledge', schedule_id, request: {} }, { now: NOW, actor: ACTOR });
    const at = (ms: number) => dueFor([subject('thread', 'a')], { upcomingWindowHours: 1 }, NOW + ms);
    expect(at(9_999)).toMatchObject({ due: [], upcoming: ['due'] });
    expect(at(10_000)).toMatchObject({ due: ['due'], upcoming: ['at the end'] });
  });

  test('the earliest come first, and one more than the limit tells that there are more', () => {
    const { create } = opened();
    for (const seconds of [30, 10, 20]) create({ title: `in ${seconds}`, thread_id: 'a', due_at: inSeconds(seconds) });
    const limits = { dueLimit: 2, upcomingLimit: 1 };
    expect(dueFor([subject('thread', 'a')], limits).upcoming).toEqual(['in 10', 'in 20']);
    expect(dueFor([subject('thread', 'a')], limits, NOW + 60_000).due).toEqual(['in 10', 'in 20', 'in 30']);
  });
});

describe('GET /v1/schedule/items: filters, order and pages', () => {
  const list = (query: Json) => {
    const { items, total } = reading((it) => it.list(ListScheduleQuery.parse(query), NOW / 1000 + 15));
    return [items.map((it) => it.title).join(' '), total];
  };

  test('several filters have to match together; retired items are listed only if they are asked for', () => {
    const schedule = opened();
    const of = (title: string, seconds: number, more: Json = {}) =>
      schedule.create({ title, due_at: inSeconds(seconds), ...more });
    of('c', 30, { task_id: 'x' });
    of('b', 20, { thread_id: 'y' });
    of('a', 10, { ...subject('user', 'ann') });
    const { schedule_id } = of('r', 40, { task_id: 'x' });
    schedule.change({ verb: 'retire', schedule_id, request: {} }, { now: NOW, actor: ACTOR });
    expect(list({})).toEqual(['a b c', 3]);
    expect(list({ include_retired: 'true' })).toEqual(['a b c r', 4]);
    expect(list({ status: 'retired' })).toEqual(['r', 1]);
    expect(list({ due: 'true' })).toEqual(['a', 1]);
    expect(list({ due: 'false' })).toEqual(['b c', 2]);
    expect(list({ task_id: 'x' })).toEqual(['c', 1]);
    expect(list({ thread_id: 'y', due: 'false' })).toEqual(['b', 1]);
    expect(list(subject('user', 'ann'))).toEqual(['a', 1]);
    expect(list({ limit: '1', offset: '1' })).toEqual(['b', 3]);
    expect(list({ task_id: "x' OR 1=1 --" })).toEqual(['', 0]);
  });
});
