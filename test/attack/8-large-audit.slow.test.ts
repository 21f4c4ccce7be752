import { request } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { ServedMetrics } from '../../compiler/schema/api/metrics.ts';
import { AgentReport } from '../../compiler/schema/report/agent-report.ts';
import { openSqliteFile } from '../../server/audit/sqlite/file.ts';
import { sumsIn } from '../../server/audit/sqlite/sums.ts';
import { compiledPeers, CTO_ID, type CompiledPeers } from '../server/deployment.ts';
import { running, type Running } from '../server/running.ts';
import { tempFolder } from '../support/folder.ts';
import { fillAudit } from '../support/large-audit.ts';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-05-08T12:00:00Z');
const LARGE = { agentId: CTO_ID, entity: 'acme/agent/cto', since: NOW - 6 * DAY_MS, until: NOW };
const RECALLS = 60_000;

let peers: CompiledPeers;

beforeAll(async () => {
  peers = await compiledPeers();
});

/** A server with an audit that takes seconds to add up. */
async function serving(): Promise<Running> {
  const server = await running({ ...peers, now: () => NOW });
  fillAudit(server.audit, { ...LARGE, recalls: RECALLS });
  return server;
}

/** Asks until all was read: a call has seconds only, and the next one goes on from the days that were added up. */
async function whole<Read>(ask: () => Promise<Read>, isWhole: (read: Read) => boolean): Promise<Read> {
  const look = async () => {
    const read = await ask();
    expect(isWhole(read)).toBe(true);
    return read;
  };
  return vi.waitFor(look, { interval: 1, timeout: 120_000 });
}

/** A figure of `/metrics`. */
async function gauge(server: Running, name: string): Promise<number> {
  const { text } = await server.ask('admin', 'GET', '/metrics');
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
}

/** Waits until a figure of `/metrics` is what it is to be. */
function until(server: Running, name: string, value: number): Promise<void> {
  const look = async () => {
    expect(await gauge(server, name)).toBe(value);
  };
  return vi.waitFor(look, { interval: 1, timeout: 20_000 });
}

describe('a large audit', () => {
  test('metrics and report of 60,000 recalls are complete, if need be after repeated calls', async () => {
    const server = await serving();
    const askMetrics = async () =>
      ServedMetrics.parse((await server.ask('admin', 'GET', '/v1/agents/cto/metrics')).json());
    const metrics = await whole(askMetrics, ({ read }) => read.complete);
    expect(metrics.read).toMatchObject({ rows: RECALLS });
    expect(metrics).toMatchObject({ recalls: RECALLS, heartbeats: RECALLS / 2 + 1, events: RECALLS / 2 });
    expect(metrics.missed).toEqual([{ name: 'travel', times: RECALLS / 10, exists: false }]);
    const askReport = async () => AgentReport.parse((await server.ask('admin', 'GET', '/v1/agents/cto/report')).json());
    const { audit } = await whole(askReport, (report) => report.audit?.read.complete === true);
    expect(audit).toMatchObject({ read: { rows: RECALLS }, metrics: { recalls: RECALLS } });
  });

  test('the server stops reading the audit once the caller of the metrics has gone', async () => {
    const server = await serving();
    const { hostname, port } = new URL(server.url);
    const headers = { authorization: `Bearer ${server.keys.admin}` };
    const options = { hostname, port, path: '/v1/agents/cto/metrics?since=7d', headers };
    const asking = request(options).on('error', () => undefined);
    asking.end();
    await until(server, 'vade_audit_reading', 1);
    asking.destroy();
    await until(server, 'vade_audit_readings_stopped_total', 1);
    expect(await gauge(server, 'vade_audit_reading')).toBe(0);
  });

  test('recalls and audit entries are answered while the metrics of a large audit are computed', async () => {
    const server = await serving();
    const figures = server.ask('admin', 'GET', '/v1/agents/cto/metrics?since=7d');
    let isDone = false;
    void figures.then(() => (isDone = true));
    await until(server, 'vade_audit_reading', 1);
    const recalled = await server.recall('cto', 'cto', { intent: 'hand over' });
    expect(recalled.json()['warnings']).not.toContain('audit_write_failed');
    const listed = await server.ask('admin', 'GET', '/v1/agents/cto/audit?limit=1');
    expect(listed.json()).toMatchObject({ entries: [{ intent: 'hand over' }] });
    expect(isDone).toBe(false);
    expect((await figures).status).toBe(200);
  });

  test('SQLite stops in the middle of a statement at the first check that says to stop', () => {
    const path = join(tempFolder(), 'audit.db');
    openSqliteFile(path).close();
    fillAudit(path, { ...LARGE, recalls: 6400 });
    const db = new Database(path, { readonly: true });
    let looks = 0;
    const asked = { entities: { [CTO_ID]: LARGE.entity }, since: LARGE.since, until: LARGE.until };
    expect(() => sumsIn(db).sums(asked, () => (looks += 1) === 3)).toThrow('cancelled');
    expect(looks).toBe(3);
    looks = 0;
    sumsIn(db).sums(asked, () => (looks += 1) < 0);
    expect(looks).toBeGreaterThan(90);
    db.close();
  });
});
