import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { rowOf, rows } from '../audit-file.ts';
import { compiledPeers, CTO_ID, type CompiledPeers } from '../deployment.ts';
import { running, type AskOptions, type Running } from '../running.ts';

let peers: CompiledPeers;
let server: Running;

beforeAll(async () => {
  peers = await compiledPeers();
  server = await running(peers);
});

const ask = async (json: object, more: Omit<AskOptions, 'json'> = {}) => {
  const answer = await server.recall('cto', 'cto', { intent: 'hand over', ...json }, more);
  expect(answer.status).toBe(200);
  return answer.json();
};
const recalls = (token: unknown) => rowOf(server.audit, 'recalls', token);

describe('§21.3.4 every recall is in the audit before it is answered', () => {
  test('a recall is recorded with its intent and its loaded chunks (§21.5.1)', async () => {
    const before = Date.now();
    const body = await ask({ intent: 'decide on a release', max_chunks: 2, manifest_hint: ['heartbeat'] });
    const row = await rowOf(server.audit, 'instruction_audit', body['audit_token']);
    expect(row).toMatchObject({
      agent_id: CTO_ID,
      intent: 'decide on a release',
      used_chunks: '[]',
      missed_chunks: '[]',
      audit_closed: null,
    });
    expect(row['id']).toMatch(/^audevent_/);
    expect(row['created_at']).toBeGreaterThanOrEqual(before);
    expect(row['session_start']).toBeLessThanOrEqual(Number(row['created_at']));
    expect(JSON.parse(String(row['loaded_chunks']))).toEqual([
      { name: 'heartbeat', source: 'stigmem', rank: 1, version: 'v1' },
      { name: 'release-decision', source: 'stigmem', rank: 2, version: 'v2' },
    ]);
  });

  test('request and revision of a recall are recorded, for replay', async () => {
    const body = await ask({ max_chunks: 2, token_budget: 900, manifest_hint: ['heartbeat', 'gone'] });
    const row = await recalls(body['audit_token']);
    expect(JSON.parse(String(row['request']))).toEqual({
      max_chunks: 2,
      token_budget: 900,
      manifest_hint: ['heartbeat', 'gone'],
      candidates: 0,
      candidates_budget: 350,
    });
    expect(row['bundle_revision']).toBe(server.revision);
  });

  test('omitted units are recorded with the reason (DESIGN §6.6)', async () => {
    const intent = 'finish with wrap-up: production is down, decide on a release';
    const body = await ask({ intent, max_chunks: 2, token_budget: 120, manifest_hint: ['escalation'] });
    expect(JSON.parse(String((await recalls(body['audit_token']))['left_out']))).toEqual(
      expect.arrayContaining([{ name: 'incident', outcome: 'over_max_chunks' }]),
    );
    const cut = await ask({ intent, token_budget: 120 });
    expect(JSON.parse(String((await recalls(cut['audit_token']))['left_out']))).toContainEqual({
      name: 'incident',
      outcome: 'over_token_budget',
    });
  });

  test('a recall by an administrator is recorded for the agent', async () => {
    const body = (await server.recall('admin', 'cto', { intent: 'hand over' })).json();
    expect(await recalls(body['audit_token'])).toMatchObject({ agent_id: CTO_ID });
  });

  test('a refused recall is not recorded', async () => {
    const count = async () => (await rows(server.audit, 'recalls')).length;
    const before = await count();
    for (const [id, json] of [
      ['cto', { intent: '' }],
      ['cto', { intent: 'x', max_chunks: 0 }],
      ['ct', { intent: 'x' }],
    ] as const) {
      expect((await server.recall('cto', id, json)).status).toBeGreaterThanOrEqual(400);
    }
    expect(await count()).toBe(before);
  });
});

describe('DESIGN §6.10 the heartbeat', () => {
  test('a valid X-Heartbeat-Id is recorded with the source `caller`', async () => {
    const body = await ask({}, { headers: { 'x-heartbeat-id': 'run_ad74de74' } });
    expect(await recalls(body['audit_token'])).toMatchObject({
      heartbeat_id: 'run_ad74de74',
      heartbeat_source: 'caller',
    });
  });

  test.each([undefined, '', 'two words', 'x'.repeat(129), '<script>', "'; DROP TABLE recalls"])(
    'a heartbeat id is generated for the header %j, with the source `generated`',
    async (claim) => {
      const one = await ask({}, claim === undefined ? {} : { headers: { 'x-heartbeat-id': claim } });
      const { heartbeat_id, heartbeat_source } = await recalls(one['audit_token']);
      expect(heartbeat_source).toBe('generated');
      expect(heartbeat_id).toMatch(/^.{8,}$/);
      expect(heartbeat_id).not.toBe(claim);
    },
  );

  test('two generated heartbeat ids differ', async () => {
    const [one, other] = [await ask({}), await ask({})].map((it) => recalls(it['audit_token']));
    expect((await one)?.['heartbeat_id']).not.toBe((await other)?.['heartbeat_id']);
  });
});

describe('§21.7 the file', () => {
  test.each([
    'UPDATE entries SET body = body',
    'REPLACE INTO entries SELECT * FROM entries',
    'REPLACE INTO intents SELECT * FROM intents',
  ])('the audit file refuses: %s', async (sql) => {
    const { audit_token } = await ask({});
    await server.ask('cto', 'POST', '/v1/instruction/audit', { json: { audit_token, used_chunks: ['wrap-up'] } });
    const before = await rows(server.audit, 'instruction_audit');
    const db = new Database(server.audit);
    expect(() => db.prepare(sql).run()).toThrow();
    db.close();
    expect(await rows(server.audit, 'instruction_audit')).toEqual(before);
  });
});
