import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { newKey } from '../../../../compiler/trust/keys.ts';
import { changeKeyFile } from '../../../../compiler/world/key-file.ts';
import { capsuleOf, NOW, type Json } from '../../../continuity/capsules.ts';
import { inSeconds } from '../../../continuity/schedule/items.ts';
import { tempFolder } from '../../../support/folder.ts';
import { CTO_ID } from '../../deployment.ts';
import { type Answer, type Who, statusAndCode } from '../../running.ts';
import { serving, type Serving } from '../serving.ts';

const ITEMS = '/v1/schedule/items';

let server: Serving;
let now = NOW;

beforeAll(async () => {
  server = await serving(undefined, { now: () => now });
});

beforeEach(() => {
  now = NOW;
});

const ask = (method: string, path: string, json?: unknown, who: Who | null = 'cto'): Promise<Answer> =>
  server.ask(who, method, `${ITEMS}${path}`, json === undefined ? {} : { json });
const create = (more: Json = {}, who: Who | null = 'cto') =>
  ask('POST', '', { kind: 'reminder', title: 'ask Ann', due_at: inSeconds(3600), ...more }, who);
const itemOf = (answer: Answer): Json => answer.json()['item'] as Json;
const idOf = (answer: Answer): string => String(itemOf(answer)['schedule_id']);

describe('the six routes of a schedule', () => {
  test('an item is created, read, listed, changed, acknowledged and retired', async () => {
    const created = await create({ title: 'all routes', task_id: 'walk' });
    expect([created.status, created.json()['created']]).toEqual([201, true]);
    const id = idOf(created);
    expect(itemOf(await ask('GET', `/${id}`))).toEqual(itemOf(created));
    expect((await ask('GET', '?task_id=walk')).json()).toMatchObject({ count: 1, total: 1, limit: 50, offset: 0 });
    const changed = await ask('PATCH', `/${id}`, { expected_version: 1, title: 'renamed' });
    expect([changed.status, changed.json()['updated'], itemOf(changed)['version']]).toEqual([200, true, 2]);
    const done = await ask('POST', `/${id}/acknowledge`, { status: 'done', expected_version: 2 });
    expect(itemOf(done)).toMatchObject({ status: 'done', derived_state: 'terminal' });
    const retired = await ask('POST', `/${id}/retire`);
    expect(itemOf(retired)).toMatchObject({ status: 'retired', terminal_reason: null, version: 4 });
    expect((await ask('GET', '?task_id=walk')).json()).toMatchObject({ total: 0 });
    for (const answer of [created, changed, done, retired])
      expect(answer.json()['content_kind']).toBe('agent_authored');
  });

  test('the same creation is 200 with the item as it is now', async () => {
    const first = await create({ idempotency_key: 'again' });
    await ask('PATCH', `/${idOf(first)}`, { expected_version: 1, note: 'later' });
    const again = await create({ idempotency_key: 'again' });
    expect([again.status, again.json()['created'], itemOf(again)['note']]).toEqual([200, false, 'later']);
  });

  test('who created and who changed an item is said by entity URI', async () => {
    const { created_by, updated_by } = itemOf(await create({ title: 'by cto' }));
    expect(created_by).toMatch(/\/agent\/cto$/);
    expect(updated_by).toBe(created_by);
  });

  test.each([
    ['a time with an offset', () => create({ due_at: '2026-11-24T09:00:00+01:00' }), 400, 'request_invalid'],
    ['a time of the past', () => create({ due_at: inSeconds(0) }), 400, 'schedule_invalid'],
    ['a nudge about nothing', () => create({ kind: 'task_nudge' }), 400, 'schedule_invalid'],
    ['an id that is none', () => ask('GET', '/..%2F..%2Fetc'), 400, 'schedule_invalid'],
    ['an item that is not there', () => ask('GET', '/sched_none'), 404, 'schedule_not_found'],
    ['a limit beyond 200', () => ask('GET', '?limit=201'), 400, 'request_invalid'],
    ['another body under one key', () => create({ idempotency_key: 'again', title: 'b' }), 409, 'idempotency_conflict'],
  ])('%s is refused: %#', async (_, send, status, code) => {
    expect(statusAndCode(await send())).toEqual([status, code]);
  });

  test('nobody sees the items of another owner, or changes them', async () => {
    const id = idOf(await create({ title: 'of cto', schedule_id: 'sched_private' }));
    for (const who of ['cto2', 'admin'] as const) {
      expect(statusAndCode(await ask('GET', `/${id}`, undefined, who))).toEqual([404, 'schedule_not_found']);
      expect(statusAndCode(await ask('POST', `/${id}/retire`, {}, who))).toEqual([404, 'schedule_not_found']);
      expect((await ask('GET', '', undefined, who)).text).not.toContain('of cto');
    }
  });
});

describe('the database of a schedule', () => {
  const fileOf = (one: Serving, owner = CTO_ID) => join(one.folder, `${owner}.schedule.db`);

  test('a read of an absent one makes an empty one, and says schedule_db_missing once', async () => {
    const fresh = await serving(undefined, { now: () => now });
    const list = async () => (await fresh.ask('cto', 'GET', ITEMS)).json();
    expect(await list()).toMatchObject({ items: [], warnings: ['schedule_db_missing'] });
    expect(existsSync(fileOf(fresh))).toBe(true);
    expect(await list()).toMatchObject({ items: [], warnings: [] });
  });

  test('one that is lost under a running server is told, and one that is put back is used', async () => {
    const fresh = await serving(undefined, { now: () => now });
    const send = (title: string) =>
      fresh.ask('cto', 'POST', ITEMS, { json: { kind: 'reminder', title, due_at: inSeconds(60) } });
    await send('kept');
    const db = new Database(fileOf(fresh));
    db.pragma('wal_checkpoint(TRUNCATE)');
    db.close();
    const backup = readFileSync(fileOf(fresh));
    for (const end of ['', '-wal', '-shm']) rmSync(fileOf(fresh) + end, { force: true });
    expect((await send('new')).json()).toMatchObject({ created: true, warnings: ['schedule_db_missing'] });
    for (const end of ['', '-wal', '-shm']) rmSync(fileOf(fresh) + end, { force: true });
    writeFileSync(fileOf(fresh), backup);
    expect((await fresh.ask('cto', 'GET', ITEMS)).json()).toMatchObject({ total: 1, items: [{ title: 'kept' }] });
  });

  test('one that is damaged is 503 on its own routes, and a warning beside the capsules', async () => {
    const fresh = await serving(undefined, { now: () => now });
    writeFileSync(fileOf(fresh), 'no database'.repeat(1000));
    expect(statusAndCode(await fresh.ask('cto', 'GET', ITEMS))).toEqual([503, 'continuity_unusable']);
    const subject = { subject_kind: 'thread', subject_id: 'store' };
    await fresh.post('cto', 'upsert', { ...subject, capsule: capsuleOf() });
    const answer = await fresh.post('cto', 'read', { ...subject, view: 'startup' });
    expect(answer.status).toBe(200);
    expect(answer.json()['schedule_context']).toMatchObject({
      due: { items: [], count: 0, truncated: false },
      warnings: ['schedule_db_unavailable'],
    });
  });
});

describe('what is due, beside the capsules', () => {
  const THREAD = { subject_kind: 'thread', subject_id: 'due' };

  test('a startup view and a retrieval show it; the retrieval only if it names a subject', async () => {
    await server.post('cto', 'upsert', { ...THREAD, capsule: capsuleOf({ subject_id: 'due' }) });
    await create({ title: 'now', thread_id: 'due', due_at: inSeconds(1) });
    await create({ title: 'soon', ...THREAD, due_at: inSeconds(7200) });
    now = NOW + 5000;
    const expected = {
      due: { items: [{ title: 'now', derived_state: 'due' }], count: 1, truncated: false },
      upcoming: { window_hours: 72, items: [{ title: 'soon', derived_state: 'scheduled' }], count: 1 },
      warnings: [],
    };
    const startup = await server.post('cto', 'read', { ...THREAD, view: 'startup' });
    expect(startup.json()['schedule_context']).toMatchObject(expected);
    expect((await server.post('cto', 'read', THREAD)).json()['schedule_context']).toBeUndefined();
    const retrieve = async (more: Json) => {
      const answer = await server.ask('cto', 'POST', '/v1/context/retrieve', { json: { task: 'go on', ...more } });
      return (answer.json()['bundle'] as Json)['schedule_context'];
    };
    expect(await retrieve(THREAD)).toMatchObject(expected);
    expect(await retrieve({ continuity_selectors: [THREAD], continuity_mode: 'off' })).toMatchObject(expected);
    expect(await retrieve({})).toBeUndefined();
  });

  test('the settings of the operator say how much of it is shown', async () => {
    const root = tempFolder();
    const schedule = { dueLimit: 1, upcomingLimit: 0, upcomingWindowHours: 2 };
    const small = await serving(root, {
      now: () => now,
      follow: { continuity: { root, archiveDays: 90, schedule } },
    });
    for (const seconds of [1, 2, 3600]) {
      const json = { kind: 'reminder', title: `in ${seconds}`, thread_id: 'due', due_at: inSeconds(seconds) };
      await small.ask('cto', 'POST', ITEMS, { json });
    }
    now = NOW + 5000;
    const answer = await small.ask('cto', 'POST', '/v1/context/retrieve', { json: { task: 'x', ...THREAD } });
    expect((answer.json()['bundle'] as Json)['schedule_context']).toMatchObject({
      due: { items: [{ title: 'in 1' }], count: 1, truncated: true },
      upcoming: { window_hours: 2, items: [], count: 0, truncated: true },
    });
  });

  test('a key without the namespace schedule has no schedule, and is told', async () => {
    const limited = newKey({ kind: 'agent', agent: 'cto' }, 'narrow', '2026-01-01T00:00:00Z', randomBytes(40), {
      namespaces: ['continuity'],
    });
    changeKeyFile(server.keyFile, { now: new Date() }, (all) => [...all, limited.record]);
    const headers = { authorization: `Bearer ${limited.key}` };
    const json = { ...THREAD, view: 'startup' };
    const answer = await vi.waitFor(async () => {
      const it = await server.ask(null, 'POST', '/v1/continuity/read', { json, headers });
      expect(it.status).toBe(200);
      return it.json();
    }, 5000);
    expect(answer['schedule_context']).toMatchObject({ warnings: ['schedule_source_denied'], due: { count: 0 } });
    expect(answer['graph_summary']).toMatchObject({ warnings: [{ code: 'graph_source_denied' }] });
    expect(statusAndCode(await server.ask(null, 'GET', ITEMS, { headers }))).toEqual([403, 'instruction_scope_denied']);
  });
});
