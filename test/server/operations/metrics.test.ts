import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadGarden, loadShared } from '../../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import { HeartbeatResponse } from '../../../compiler/schema/api/heartbeat.ts';
import { LIMITATION, ServedMetrics } from '../../../compiler/schema/api/metrics.ts';
import { RecallResponse } from '../../../compiler/schema/api/recall.ts';
import { approvalOf, approve, limits } from '../../support/approvals.ts';
import { vade } from '../../support/cli.ts';
import { tempFolder } from '../../support/folder.ts';
import { CTO_ID } from '../deployment.ts';
import { related, type Related } from '../relations.ts';
import { running, type Running, type Who } from '../running.ts';

const TODAY = Date.parse('2026-05-08T12:00:00Z');
const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS_AGO = (days: number) => TODAY - days * DAY_MS;

let deployment: Related;
let server: Running;
let now = TODAY;
/** Tokens of the answers, by kind. */
const spent: Record<string, number> = {};

const recall = async (intent: string, heartbeat?: string, who: Who = 'cto') => {
  const headers = heartbeat === undefined ? {} : { 'X-Heartbeat-Id': heartbeat };
  const answer = RecallResponse.parse((await server.recall(who, 'cto', { intent, max_chunks: 3 }, { headers })).json());
  return { token: answer.audit_token ?? '', names: answer.chunks.map((it) => it.name), tokens: answer.total_tokens };
};

const close = (audit_token: string, used_chunks: readonly string[], missed_chunks: readonly string[]) =>
  server.ask('cto', 'POST', '/v1/instruction/audit', { json: { audit_token, used_chunks, missed_chunks } });

/** One week of an agent, small enough to compute by hand. */
async function live(): Promise<void> {
  now = DAYS_AGO(10);
  const old = await recall('production is down', 'run_old');
  await close(old.token, [], ['travel']);
  now = DAYS_AGO(2);
  const first = await recall('production is down', 'run_a');
  await close(first.token, first.names.slice(0, 2), []);
  const second = await recall('hand over', 'run_a');
  await close(second.token, second.names.slice(1, 2), ['travel']);
  now = TODAY;
  const authorization = `Bearer ${await deployment.plane.sign('cto', { now, claims: { heartbeat_id: 'run_b', wake_reason: 'manual' } })}`;
  const woken = await server.ask(null, 'POST', '/v1/agents/cto/heartbeat', { headers: { authorization } });
  const silent = await recall('decide on a release', 'run_c');
  await close(silent.token, [], []);
  await recall('start a heartbeat');
  await recall('hand over', undefined, 'admin');
  spent['recalls'] = first.tokens + second.tokens + silent.tokens;
  spent['woken'] = HeartbeatResponse.parse(woken.json()).total_tokens;
}

beforeAll(async () => {
  deployment = await related({
    change: (repo, ann) => {
      limits(repo, 'guarantee_load: true\n');
      approve(repo, 'limits', approvalOf(repo), ann);
    },
  });
  server = await running({ ...deployment, now: () => now });
  await live();
});

const ask = (query = '', who: Who = 'admin', id = 'cto') => server.ask(who, 'GET', `/v1/agents/${id}/metrics${query}`);
const metrics = async (query = '', id = 'cto') => ServedMetrics.parse((await ask(query, 'admin', id)).json());

/** Token counts from the files of the bundle. */
function tokensOfBundle() {
  const bundle = openBundle(deployment.bundle, { pinned: deployment.trust.root, now: new Date(now).toISOString() });
  const { recall: garden, predicate } = loadGarden(bundle, 'cto', loadShared(bundle));
  const stub = predicate.stubs.find((it) => it.profile === 'generic')!.token_count;
  return { stub, eager: garden.facts.reduce((all, it) => all + it.tokens, 0) + stub };
}

describe('§21.5.3 GET /v1/agents/{agent_id}/metrics', () => {
  test('metrics of a week equal the figures computed by hand', async () => {
    const served = await metrics('?k=1,3');
    expect(served).toMatchObject({
      ...{ agent: 'cto', agent_id: CTO_ID, since: '2026-05-01T12:00:00.000Z', until: '2026-05-08T12:00:00.000Z' },
      // by cto itself: two on run_a, one on run_c, one on no named heartbeat; run_b was only woken
      ...{ recalls: 4, heartbeats: 4, excluded: { by_others: 1, unclosed: 1, silent: 1, unused: 0 } },
      // three were used: the first and second of one answer, the second of another; one was missed
      at: [
        { k: 1, recall: 0.3333, hit: 1 },
        { k: 3, recall: 1, hit: 1 },
      ],
      ...{ miss_rate: 0.25, events: 2, alert: false, missed: [{ name: 'travel', times: 1, exists: false }] },
      ...{ rolling: { since: '2026-05-01T12:00:00.000Z', miss_rate: 0.25, events: 2 } },
      guaranteed: [{ name: 'limits', recalled: 2, relevant: 0, warning: true }],
      ...{ recertify: null, limitation: LIMITATION },
    });
    expect(
      served.days.map(({ day, recalls, events, miss_rate, rolling }) => [day, recalls, events, miss_rate, rolling]),
    ).toEqual([
      ['2026-05-06', 2, 2, 0.25, 0.25],
      ['2026-05-08', 2, 0, null, 0.25],
    ]);
  });

  test('metrics compare the tokens of named heartbeats with eager loading', async () => {
    const { stub, eager } = tokensOfBundle();
    // run_a and run_c were not woken by this server: their stubs were read all the same
    const lazy = (spent['recalls'] ?? 0) + (spent['woken'] ?? 0) + 2 * stub;
    const { tokens } = await metrics();
    expect(tokens).toMatchObject({ heartbeats: 3, unnamed: 1, lazy, eager: 3 * eager });
    expect(tokens.saved).toBeCloseTo(1 - lazy / (3 * eager), 4);
  });

  test('metrics cover the requested window, and report how many rows were read', async () => {
    expect((await metrics()).read).toEqual({ rows: 6, complete: true, from: '2026-05-01T12:00:00.000Z', spooled: 0 });
    const served = await metrics('?since=30d');
    expect(served).toMatchObject({ recalls: 5, miss_rate: 0.4, excluded: { unused: 1 }, read: { rows: 7 } });
    expect(served.rolling).toEqual({ since: '2026-05-01T12:00:00.000Z', miss_rate: 0.25, events: 2 });
    expect((await metrics('?since=1d')).recalls).toBe(2);
  });

  test('metrics are of one agent, by id or short name, and empty without recalls', async () => {
    expect(await metrics('', CTO_ID)).toEqual(await metrics());
    expect(await metrics('', 'cto2')).toMatchObject({ recalls: 0, miss_rate: null, tokens: { saved: null }, days: [] });
  });

  test.each(['since=7', 'since=0d', 'since=1000d', 'k=0', 'k=51', 'k=x', 'k=1,', 'k=1&k=3', 'limit=1'])(
    'metrics with ?%s are request_invalid',
    async (query) => {
      const answer = await ask(`?${query}`);
      expect([answer.status, answer.code]).toEqual([400, 'request_invalid']);
    },
  );

  test('only administrators can read metrics of agents (§21.4.5)', async () => {
    for (const who of ['cto', 'cto2', 'ghost'] as const) {
      expect((await ask('', who)).code).toBe('instruction_scope_denied');
    }
    expect((await ask('', 'admin', 'nobody')).code).toBe('agent_not_found');
  });
});

interface MetricsData {
  readonly agents: readonly Record<string, unknown>[];
  readonly total: Record<string, unknown>;
}

describe('§21.5.3 vade metrics on the audit of a running server', () => {
  const run = (...args: string[]) => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'root.json'), deployment.trust.root.envelope);
    const where = ['--bundle', deployment.bundle, '--trust', 'root.json', '--audit', server.audit];
    return vade(['metrics', ...where, ...args], folder);
  };
  const WEEK = ['--since', '2026-05-01T12:00:00Z', '--until', '2026-05-08T12:00:00.001Z'];

  test('vade metrics prints the same figures of an agent as the server', async () => {
    const ran = await run(...WEEK, '--agent', 'cto', '--k', '1', '--k', '3,10');
    expect(ran.code).toBe(0);
    const { agents } = ran.envelope().data as unknown as MetricsData;
    const { read: _, ...served } = await metrics();
    expect(agents).toEqual([served]);
    expect(ran.envelope().warnings.map((it) => it.code)).toEqual(['GUARANTEE_IN_DOUBT']);
  });

  test('vade metrics prints figures of every agent, and their total', async () => {
    const { agents, total } = (await run(...WEEK)).envelope().data as unknown as MetricsData;
    expect(agents.map((it) => it['agent'])).toEqual(['ct', 'cto', 'cto2']);
    expect(total).toMatchObject({ recalls: 4, miss_rate: 0.25, tokens: agents[1]?.['tokens'] });
  });

  test('vade metrics prints the limitation of the figures, as text and as JSON', async () => {
    const text = (await run(...WEEK, '--format', 'text')).stdout;
    expect(text).toContain(LIMITATION);
    expect(text).toContain('cto: 4 recalls in 4 heartbeats');
    expect((await run(...WEEK)).envelope().data['limitation']).toBe(LIMITATION);
  });

  test('vade metrics refuses invalid arguments and unknown agents', async () => {
    const code = async (...args: string[]) => {
      const ran = await run(...args);
      return [ran.code, ran.envelope().error.code];
    };
    expect(await code('--k', '0')).toEqual([3, 'ARGUMENT_INVALID']);
    expect(await code('--since', 'yesterday')).toEqual([3, 'ARGUMENT_INVALID']);
    expect(await code('--agent', 'nobody')).toEqual([5, 'AGENT_NOT_FOUND']);
  });
});
