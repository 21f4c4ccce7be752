import { beforeAll, describe, expect, test } from 'vitest';
import { compiledPeers, type CompiledPeers } from '../deployment.ts';
import { rawExchange } from '../raw.ts';
import { running, type Running } from '../running.ts';

const MARK = 'xmarkx';
let peers: CompiledPeers;

beforeAll(async () => {
  peers = await compiledPeers();
});

/** Sends a mark in every place that a caller can write to, and ends the server: by then every line is written. */
async function askEverywhere(server: Running): Promise<void> {
  const headers = { 'x-heartbeat-id': MARK, 'user-agent': MARK, cookie: MARK, 'x-forwarded-for': MARK, referer: MARK };
  const json = { intent: `${MARK} hand over`, manifest_hint: [MARK] };
  const recalled = await server.recall('cto', 'cto', { intent: `${MARK} hand over` }, { headers });
  const { audit_token } = recalled.json();
  const closing = { audit_token, used_chunks: [MARK], missed_chunks: [MARK] };
  await server.ask('cto', 'POST', '/v1/instruction/audit', { json: closing });
  await server.recall('cto', MARK, json, { headers });
  await server.recall('cto', 'cto', { ...json, [MARK]: MARK });
  await server.recall('cto', 'cto', {}, { headers: { 'x-request-id': `${MARK}\t"}` } });
  await server.ask('cto', 'POST', `/v1/agents/cto/recall-instruction?${MARK}=1`, { body: `{"${MARK}` });
  await server.ask('admin', 'PUT', '/v1/agents/cto/instruction-manifest', { json: { [MARK]: MARK } });
  await server.ask('cto', 'GET', `/v1/facts/${MARK}`);
  await server.ask('cto', 'GET', `/v1/agents/cto/boot-stub?profile=${MARK}`);
  await server.ask('cto', 'GET', `/${MARK}`);
  await server.ask(null, 'GET', '/v1/agents/cto/boot-stub', { headers: { authorization: `Bearer ${MARK}` } });
  await rawExchange(server.url, `GET /${MARK} HTTP/1.1\r\nHost: ${MARK}\r\nX ${MARK}\r\n\r\n`);
  await server.close();
}

const written = (server: Running) => JSON.stringify(server.log);
const lines = (server: Running, msg: string) => server.log.filter((it) => it['msg'] === msg);

describe('DESIGN §8 the log', () => {
  test('the log contains no input of callers, and none of their keys', async () => {
    const server = await running({ ...peers, http: { logRequests: true } });
    await askEverywhere(server);
    expect(lines(server, 'request').length).toBeGreaterThan(10);
    expect(written(server)).not.toContain(MARK);
    for (const key of Object.values(server.keys)) expect(written(server)).not.toContain(key.slice(-20));
  });

  test('the log contains intents if the operator logs them, and no other input', async () => {
    const server = await running({ ...peers, http: { logIntents: true } });
    await askEverywhere(server);
    const intents = lines(server, 'request').flatMap((it) => it['intent'] ?? []);
    expect(intents).toContain(`${MARK} hand over`);
    const rest = server.log.map(({ intent: _, ...line }) => line);
    expect(JSON.stringify(rest)).not.toContain(MARK);
  });

  test('each request is one log line with its caller, route and status', async () => {
    const server = await running({ ...peers, http: { logRequests: true } });
    await server.recall('cto', 'cto', { intent: 'hand over' }, { headers: { 'x-request-id': 'trail-1' } });
    await server.close();
    expect(lines(server, 'request')).toEqual([
      expect.objectContaining({
        ...{ request_id: 'trail-1', method: 'POST', route: '/v1/agents/{agent_id}/recall-instruction' },
        ...{ status: 200, code: null, caller: `key:${server.records.cto.id}` },
      }),
    ]);
  });

  test('repeated refusals are logged once, and successes are not logged', async () => {
    const server = await running(peers);
    for (let i = 0; i < 5; i++) await server.ask('cto', 'GET', '/v1/agents/ct/boot-stub');
    for (let i = 0; i < 5; i++) await server.ask(null, 'GET', '/v1/agents/ct/boot-stub');
    await server.ask('cto', 'GET', '/v1/agents/cto/boot-stub');
    await server.close();
    const logged = lines(server, 'request refused').map((it) => [it['code'], it['caller'], it['address']]);
    expect(logged).toEqual([
      ['instruction_scope_denied', `key:${server.records.cto.id}`, expect.stringContaining('127.0.0.1')],
      ['unauthenticated', null, expect.stringContaining('127.0.0.1')],
    ]);
    expect(lines(server, 'request')).toEqual([]);
  });

  test('a refused authentication is logged with its reason, which no answer has; each reason has a line', async () => {
    const server = await running({ ...peers });
    const refused = [`Bearer ${MARK}`, `Bearer ${MARK}.${MARK}.${MARK}`, MARK].map((authorization) =>
      server.ask(null, 'GET', '/v1/agents/cto/boot-stub', { headers: { authorization } }),
    );
    const answers = await Promise.all(refused);
    expect(new Set(answers.map((it) => it.text)).size).toBe(1);
    await server.close();
    const reasons = lines(server, 'request refused').map((it) => it['reason']);
    expect(new Set(reasons).size).toBe(3);
    expect(JSON.stringify(reasons)).not.toContain(MARK);
    for (const reason of reasons) expect(answers[0]?.text).not.toContain(reason);
  });

  test('an internal error is logged once, with its stack', async () => {
    let at = Date.now();
    const server = await running({ ...peers, now: () => at });
    const good = at;
    at = Number.NaN; // an invalid clock causes an internal error
    for (let i = 0; i < 3; i++) await server.recall('cto', 'cto', { intent: MARK });
    at = good;
    await server.close();
    const logged = lines(server, 'request failed');
    expect(logged).toEqual([
      expect.objectContaining({ code: 'internal', status: 500, at: expect.any(Array) as unknown }),
    ]);
    expect(written(server)).not.toContain(MARK);
  });
});
