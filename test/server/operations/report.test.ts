import { beforeAll, describe, expect, test } from 'vitest';
import { Manifest } from '../../../compiler/schema/bundle/manifest.ts';
import { AgentReport } from '../../../compiler/schema/report/agent-report.ts';
import { Report } from '../../../compiler/schema/report/report.ts';
import { compileToFolder, testTrust } from '../../support/compiled.ts';
import { unitFile } from '../../support/repository.ts';
import { peers } from '../deployment.ts';
import { running, type Running } from '../running.ts';

let server: Running;

beforeAll(async () => {
  const trust = testTrust();
  const repo = peers();
  const { out } = await compileToFolder(repo.path, { trust });
  repo.write('instructions/agents/cto/pager.md', unitFile('Who carries the pager', ['the pager rings']));
  repo.commit('carry a pager');
  await compileToFolder(repo.path, { trust, previous: out, out });
  server = await running({ bundle: out, trust });
});

const getJson = async (path: string) => (await server.ask('admin', 'GET', path)).json();

describe('GET /v1/report', () => {
  test('the report lists every agent, compared with the previous root', async () => {
    const report = Report.parse(await getJson('/v1/report'));
    expect(report.agents.map((it) => it.name)).toEqual(['ct', 'cto', 'cto2']);
    expect(report.previous?.serial).toBe(2);
    expect(report.agents.map((it) => it.changed)).toEqual([
      { added: 0, changed: 0, removed: 0 },
      { added: 1, changed: 0, removed: 0 },
      { added: 0, changed: 0, removed: 0 },
    ]);
    expect(report.shared.map((it) => it.name)).toEqual(['escalation', 'heartbeat']);
    expect(report.unread).toEqual([]);
  });

  test('the report includes the newest rows of the audit', async () => {
    const rows = async () => Report.parse(await getJson('/v1/report')).audit?.answers;
    expect(await rows()).toBe(0);
    await server.recall('cto2', 'cto2', { intent: 'spend money' });
    expect(await rows()).toBe(1);
  });

  test.each(['/v1/report', '/v1/agents/cto/report'])('only administrators can read %s', async (path) => {
    expect((await server.ask('cto', 'GET', path)).code).toBe('instruction_scope_denied');
    expect((await server.ask(null, 'GET', path)).code).toBe('unauthenticated');
  });
});

describe('GET /v1/agents/{agent_id}/report', () => {
  test('the report says of each unit whether the manifest lists it, as the manifest does', async () => {
    const { units, manifest } = AgentReport.parse(await getJson('/v1/agents/cto/report'));
    const served = Manifest.parse(await getJson('/v1/agents/cto/instruction-manifest'));
    const listed = units.filter((it) => it.listed).map((it) => it.name);
    expect(listed).toEqual(served.entries.map((it) => it.name));
    expect(manifest).toMatchObject({ listed: listed.length, unlisted: units.length - listed.length });
    // a shared unit that agent.yaml does not name
    expect(units.find((it) => it.name === 'escalation')?.listed).toBe(false);
  });

  test('the report of an agent has its units with all versions and authors', async () => {
    const { units, changes } = AgentReport.parse(await getJson('/v1/agents/cto/report'));
    const decided = units.find((it) => it.name === 'release-decision');
    expect(decided?.versions.map((it) => [it.version, it.content.includes('Second')])).toEqual([
      [2, true],
      [1, false],
    ]);
    expect(decided?.versions[0]?.authored_by).toContain('ada');
    expect(changes?.map((it) => [it.name, it.kind])).toEqual([['pager', 'added']]);
  });

  test('the report of an agent counts what it missed, without an intent of the audit', async () => {
    const recalled = await server.recall('cto', 'cto', { intent: 'tell Zebulon about it' });
    const closing = { audit_token: recalled.json()['audit_token'], used_chunks: [], missed_chunks: ['travel'] };
    await server.ask('cto', 'POST', '/v1/instruction/audit', { json: closing });
    const { text } = await server.ask('admin', 'GET', '/v1/agents/cto/report');
    expect(AgentReport.parse(JSON.parse(text)).audit?.metrics.missed).toEqual([
      { name: 'travel', times: 1, exists: false },
    ]);
    expect(text).not.toContain('Zebulon');
  });

  test('the report of an unknown agent is agent_not_found', async () => {
    expect((await server.ask('admin', 'GET', '/v1/agents/nobody/report')).code).toBe('agent_not_found');
  });
});

describe('POST /v1/agents/{agent_id}/playground', () => {
  const json = { intent: 'production is down' };
  const attempt = (who: 'admin' | 'cto', body: unknown = json) =>
    server.ask(who, 'POST', '/v1/agents/cto/playground', { json: body });

  test('the playground returns the units of a recall, without their texts', async () => {
    const tried = (await attempt('admin')).json();
    const recalled = (await server.recall('cto', 'cto', json)).json()['chunks'] as { name: string }[];
    expect(tried['order']).toEqual(recalled.map((it) => it.name));
    expect(JSON.stringify(tried)).not.toContain('one person in charge');
  });

  test('the playground writes nothing to the audit', async () => {
    const audit = () => getJson('/v1/agents/cto/audit');
    const before = await audit();
    await attempt('admin');
    expect(await audit()).toEqual(before);
  });

  test('only administrators can use the playground', async () => {
    expect((await attempt('cto')).code).toBe('instruction_scope_denied');
  });

  test.each([{}, { intent: 3 }, { intent: 'x', max_chunks: 0 }])(
    'the playground with the body %j is request_invalid',
    async (body) => {
      expect((await attempt('admin', body)).code).toBe('request_invalid');
    },
  );
});

describe('GET /ui', () => {
  test.each([
    ['/ui', 'text/html'],
    ['/ui/app.js', 'text/javascript'],
    ['/ui/app.css', 'text/css'],
  ])('%s needs no key, and its Content-Security-Policy allows only what the page needs', async (path, type) => {
    const answer = await server.ask(null, 'GET', path);
    expect([answer.status, answer.headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
    expect(answer.headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self';connect-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    );
    const again = await server.ask(null, 'GET', path, { headers: { 'if-none-match': answer.headers['etag'] ?? '' } });
    expect(again.status).toBe(304);
  });

  test('the page contains no data of the deployment', async () => {
    const { text } = await server.ask(null, 'GET', '/ui');
    expect(text).not.toMatch(/acme|cto/);
  });
});
