import { beforeAll, describe, expect, test } from 'vitest';
import { capsuleOf } from '../../continuity/capsules.ts';
import { httpClient } from '../doors.ts';
import { textIn } from '../mcp/asking.ts';
import { serving, type Serving } from './serving.ts';

let now = Date.parse('2026-11-23T14:00:00Z');
const SUBJECT = { subject_kind: 'thread', subject_id: 'other' };

let server: Serving;

beforeAll(async () => {
  server = await serving(undefined, { now: () => (now += 1) });
  await server.post('cto', 'upsert', { ...SUBJECT, capsule: capsuleOf({ subject_id: 'other' }) });
});

describe('a reader of the tool alone', () => {
  test('stores a first capsule at the first try, and the next one with what changed', async () => {
    const client = await httpClient(server, 'cto');
    const { tools } = await client.listTools();
    const { description = '' } = tools.find(({ name }) => name === 'upsert_capsule') ?? {};
    const [first, later] = [...description.matchAll(/: (\{.*?\}) (?=[A-Z])/g)].map(
      ([, json = '']) => JSON.parse(json) as Record<string, unknown>,
    );
    const call = async (given: Record<string, unknown> = {}) =>
      JSON.parse(textIn(await client.callTool({ name: 'upsert_capsule', arguments: given }))) as unknown;
    expect(await call(first)).toMatchObject({ ok: true, created: true });
    expect(await call(later)).toMatchObject({ ok: true, created: false, updated: true });
    await client.close();
  });

  test('is told by a retrieval that a subject is needed', async () => {
    const answer = await server.ask('cto', 'POST', '/v1/context/retrieve', { json: { task: 'finish the release' } });
    const { notes } = answer.json()['bundle'] as { notes: string[] };
    expect(notes.join(' ')).toContain('name subject_kind and subject_id');
  });
});

describe('a query of a list', () => {
  test.each([
    '/v1/schedule/items',
    '/v1/coordination/handoffs/query',
    '/v1/coordination/shared/query',
    '/v1/coordination/reconciliations/query',
  ])('%s is refused where it is misspelt or no number', async (path) => {
    for (const query of [
      'thread=x',
      'limit=1e1',
      'limit=0x10',
      'limit=',
      'limit=01',
      'limit=-1',
      'offset=1.0',
      'limit=99999',
    ]) {
      const answer = await server.ask('cto', 'GET', `${path}?${query}`);
      expect([query, answer.status, answer.code]).toEqual([query, 400, 'request_invalid']);
    }
    expect((await server.ask('cto', 'GET', `${path}?limit=1&offset=0`)).status).toBe(200);
  });
});

const CREATED: Readonly<Record<string, object>> = {
  'handoff/create': { ...SUBJECT, recipient_peer: 'cto2', note: 'yours' },
  'shared/create': { title: 'frozen', participant_peers: ['cto2'] },
  'reconciliation/open': { title: 'which', classification: 'contradictory', trigger: 'handoff_vs_handoff' },
};

describe('an idempotency key', () => {
  test.each(Object.entries(CREATED))('makes one artefact of two requests: %s', async (route, body) => {
    const send = (more: object) =>
      server.ask('cto', 'POST', `/v1/coordination/${route}`, { json: { ...body, ...more } });
    const [first, again] = [await send({ idempotency_key: 'k' }), await send({ idempotency_key: 'k' })];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.json()).toEqual(first.json());
    expect((await send({ idempotency_key: 'k', commit_message: 'another' })).code).toBe('idempotency_conflict');
    expect((await send({ idempotency_key: 'l' })).json()).not.toEqual(first.json());
  });

  test('answers a patch and a first upsert again as it answered before', async () => {
    const operations = [{ target: 'continuity.open_loops', action: 'append', value: 'next' }];
    const body = { ...SUBJECT, updated_at: '2026-11-23T13:59:00Z', operations, idempotency_key: 'p' };
    const [first, again] = [await server.post('cto', 'patch', body), await server.post('cto', 'patch', body)];
    expect([first.status, again.status, again.json()]).toEqual([200, 200, first.json()]);
    const upsert = { ...SUBJECT, subject_id: 'new', capsule: capsuleOf({ subject_id: 'new' }), idempotency_key: 'u' };
    const answers = [await server.post('cto', 'upsert', upsert), await server.post('cto', 'upsert', upsert)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });
});

test('a schedule item that is too large names what has to be shortened', async () => {
  const item = { kind: 'reminder', title: '題'.repeat(100), note: '記'.repeat(700), due_at: '2026-12-01T00:00:00Z' };
  const answer = await server.ask('cto', 'POST', '/v1/schedule/items', { json: item });
  expect([answer.code, (answer.json()['error'] as { details: { field: string } }).details.field]).toEqual([
    'schedule_invalid',
    'note',
  ]);
});
