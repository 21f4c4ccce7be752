import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { compiledPeers, CTO_ID, expiringPeers, type CompiledPeers } from '../deployment.ts';
import { running, statusAndCode, type Running, type Who } from '../running.ts';

let peers: CompiledPeers;
/** A server that nobody calls but for its metrics. */
let quiet: Running;

beforeAll(async () => {
  peers = await compiledPeers();
  quiet = await running(peers);
});

type Samples = ReadonlyMap<string, number>;

/** Samples by name with labels. */
async function scrapeNow(server: Running): Promise<Samples> {
  const { text, status } = await server.ask('admin', 'GET', '/metrics');
  expect(status).toBe(200);
  const samples = text.split('\n').filter((it) => it !== '' && !it.startsWith('#'));
  return new Map(samples.map((it) => [it.slice(0, it.lastIndexOf(' ')), Number(it.slice(it.lastIndexOf(' ')))]));
}

/** The samples once so many requests are counted, scrapes aside: a request is counted after it is answered. */
async function scrape(server: Running, answered: number): Promise<Samples> {
  return vi.waitFor(
    async () => {
      const samples = await scrapeNow(server);
      expect(countedIn(samples)).toBe(answered);
      return samples;
    },
    { timeout: 60_000, interval: 5 },
  );
}

function countedIn(samples: Samples): number {
  const counted = [...samples].filter(([name]) => name.startsWith('vade_http_requests_total'));
  return counted.filter(([name]) => !name.includes('route="/metrics"')).reduce((all, [, count]) => all + count, 0);
}

/** How many samples are of the server itself: those of the process gain some with each kind of collection. */
const ownIn = (samples: Samples) => [...samples.keys()].filter((it) => it.startsWith('vade_')).length;

const RECALL = '/v1/agents/{agent_id}/recall-instruction';
const requests = (method: string, route: string, status: number, code: string) =>
  `vade_http_requests_total{method="${method}",route="${route}",status="${status}",code="${code}"}`;

describe('the operator’s guide', () => {
  const guide = readFileSync('server/OPERATION.md', 'utf8');

  test('every metric that a server has of its own is explained', async () => {
    const { text } = await quiet.ask('admin', 'GET', '/metrics');
    const own = [...text.matchAll(/^# TYPE vade_(\w+)/gm)].map(([, name = '']) => name);
    const [, list = ''] = /^## Metrics$(.*?)^## /ms.exec(guide) ?? [];
    const explained = new Set([...list.matchAll(/`(\w+)/g)].map(([, name = '']) => name));
    expect(own.filter((name) => !explained.has(name))).toEqual([]);
  });
});

describe('DESIGN §8 who may read /metrics', () => {
  test('administrators can read /metrics, agents cannot', async () => {
    const asked = async (who: Who | null) => statusAndCode(await quiet.ask(who, 'GET', '/metrics'));
    expect(await asked('admin')).toEqual([200, undefined]);
    expect(await asked('cto')).toEqual([403, 'instruction_scope_denied']);
    expect(await asked(null)).toEqual([401, 'unauthenticated']);
  });

  test('everybody can read /metrics if the operator opened it', async () => {
    const server = await running({ ...peers, http: { metricsOpen: true } });
    expect((await server.ask(null, 'GET', '/metrics')).status).toBe(200);
    expect((await server.ask('cto', 'GET', '/metrics')).status).toBe(200);
  });
});

describe('DESIGN §8 the metrics', () => {
  test('metrics count requests by route and outcome, with their duration', async () => {
    const server = await running(peers);
    await server.recall('cto', 'cto', { intent: 'hand over' });
    await server.recall('cto', 'cto', {});
    await server.recall('cto', 'ct', { intent: 'read a scan' });
    await server.ask(null, 'GET', '/v1/agents/cto/boot-stub');
    await server.ask(null, 'HEAD', '/healthz');
    const samples = await scrape(server, 5);
    expect(samples.get(requests('POST', RECALL, 200, 'ok'))).toBe(1);
    expect(samples.get(requests('POST', RECALL, 400, 'intent_required'))).toBe(1);
    expect(samples.get(requests('POST', RECALL, 403, 'instruction_scope_denied'))).toBe(1);
    expect(samples.get(requests('HEAD', '/healthz', 200, 'ok'))).toBe(1);
    expect(samples.get('vade_denials_total')).toBe(1);
    expect(samples.get('vade_authentication_failures_total')).toBe(1);
    expect(samples.get(`vade_http_request_duration_seconds_count{method="POST",route="${RECALL}"}`)).toBe(3);
  });

  test('metrics count answered, truncated and missed recalls', async () => {
    const server = await running(peers);
    const answer = await server.recall('cto', 'cto', { intent: 'production is down, hand over', token_budget: 1 });
    const { audit_token, truncated } = answer.json();
    const closing = { audit_token, used_chunks: [], missed_chunks: ['incident'] };
    await server.ask('cto', 'POST', '/v1/instruction/audit', { json: closing });
    await server.recall('cto', 'cto', { intent: 'zxqv' });
    const samples = await scrape(server, 3);
    expect(samples.get('vade_answers_total{kind="recall"}')).toBe(2);
    expect(samples.get('vade_recall_truncated_total')).toBe(truncated === true ? 1 : 0);
    expect(samples.get('vade_closings_total')).toBe(1);
    expect(samples.get('vade_recall_missed_total')).toBe(1);
    expect(samples.get('vade_warnings_total{warning="low_confidence"}')).toBe(1);
  });

  test('metrics say whether the server is ready, whether its keys can be read, and how much disk is left', async () => {
    const samples = await scrapeNow(quiet);
    expect([samples.get('vade_ready'), samples.get('vade_key_file_readable')]).toEqual([1, 1]);
    expect(samples.get('vade_state_free_bytes')).toBeGreaterThan(0);
  });

  test('a metric says how long the trust root lasts', async () => {
    const end = Date.parse('2030-01-01T00:00:00Z');
    const server = await running({ ...(await expiringPeers(end)), now: () => end - 90_000 });
    expect((await scrape(server, 0)).get('vade_trust_expires_seconds')).toBe(90);
    const { text } = await quiet.ask('admin', 'GET', '/metrics');
    expect(text).toContain('vade_trust_expires_seconds +Inf\n');
  });

  test('metrics describe the bundle, the audit, the rollout and the process', async () => {
    const samples = await scrape(quiet, 0);
    expect(samples.get(`vade_bundle_info{revision="${quiet.revision}"}`)).toBe(1);
    expect(samples.get('vade_bundle_fresh')).toBe(-1);
    expect(samples.get('vade_bundle_age_seconds')).toBeGreaterThan(0);
    for (const name of ['audit_lost_rows_total', 'audit_spooled_rows', 'audit_lag_seconds', 'quarantine_held']) {
      expect([name, samples.get(`vade_${name}`)]).toEqual([name, 0]);
    }
    for (const name of ['withdrawn_facts', 'recertify_overdue_seconds', 'rollout_refusals_total']) {
      expect([name, samples.get(`vade_${name}`)]).toEqual([name, 0]);
    }
    expect([samples.get('vade_audit_up'), samples.get('vade_bundle_serial')]).toEqual([1, 2]);
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(0);
  });

  test('labels contain no input of callers, and name no agent', async () => {
    const server = await running(peers);
    const before = ownIn(await scrape(server, 0));
    for (let i = 0; i < 30; i++) {
      await server.ask(i % 2 === 0 ? 'cto' : null, 'GET', `/path-${i}/cto`);
      await server.ask('admin', 'GET', `/v1/agents/nobody-${i}/boot-stub`);
      await server.ask(null, `ODD${i}`, '/healthz').catch(() => undefined);
    }
    await server.recall('cto', CTO_ID, { intent: 'hand over' });
    const samples = await scrape(server, 61);
    expect(ownIn(samples) - before).toBeLessThan(80);
    expect([...samples.keys()].join('\n')).not.toMatch(/path-|nobody|"cto|8e0ed057|ODD/);
  });

  test('metrics count requests beyond a rate limit', async () => {
    const server = await running({ ...peers, http: { rateLimit: 1 } });
    for (let i = 0; i < 3; i++) await server.ask('cto', 'GET', '/v1/agents/cto/boot-stub');
    expect((await scrape(server, 3)).get('vade_rate_limited_total')).toBe(2);
  });
});
