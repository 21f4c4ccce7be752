import { beforeAll, describe, expect, test } from 'vitest';
import { RecallResponse } from '../../../compiler/schema/api/recall.ts';
import { AuditPageEntry } from '../../../compiler/schema/audit/page.ts';
import { compiledPeers, CTO_ID, type CompiledPeers } from '../deployment.ts';
import { running, type Running, type Who } from '../running.ts';

interface Entry {
  readonly [key: string]: unknown;
  readonly seq: number;
  readonly intent: string;
}

let peers: CompiledPeers;

beforeAll(async () => {
  peers = await compiledPeers();
});

const page = async (server: Running, query = '', agent = 'cto') => {
  const answer = await server.ask('admin', 'GET', `/v1/agents/${agent}/audit${query}`);
  expect(answer.status).toBe(200);
  return answer.json()['entries'] as Entry[];
};
const recall = async (server: Running, intent: string, who: Who = 'cto') =>
  String((await server.recall(who, who, { intent })).json()['audit_token']);

/** The intents of all entries, read in pages of two. */
async function readPages(server: Running): Promise<string[]> {
  const intents: string[] = [];
  for (let query = '?limit=2'; ;) {
    const entries = await page(server, query);
    const last = entries.at(-1);
    if (!last) return intents;
    intents.push(...entries.map((it) => it.intent));
    query = `?limit=2&before=${last.seq}`;
  }
}

describe('DESIGN §8 the audit for administrators', () => {
  test('the audit of an agent lists each recall in the shape of §21.5.1, with its closing', async () => {
    const server = await running(peers);
    const answer = (await server.recall('cto', 'cto', { intent: 'hand over' })).json();
    const { chunks: recalled, audit_token } = RecallResponse.parse(answer);
    expect(recalled[0]?.name).toBe('wrap-up');
    await server.ask('cto', 'POST', '/v1/instruction/audit', { json: { audit_token, used_chunks: ['wrap-up'] } });
    const [entry, ...rest] = await page(server);
    expect(rest).toEqual([]);
    expect(entry).toMatchObject({
      agent_id: CTO_ID,
      intent: 'hand over',
      loaded_chunks: recalled.map(({ name, version, source }, i) => ({ name, source, rank: i + 1, version })),
      used_chunks: ['wrap-up'],
      missed_chunks: [],
      audit_token,
    });
    expect(Object.keys(entry ?? {})).toEqual([
      ...['seq', 'id', 'kind', 'aborted', 'agent_id', 'heartbeat_id', 'session_start', 'intent'],
      ...['intent_digest', 'files', 'follows', 'loaded_chunks', 'candidates'],
      ...[
        'used_chunks',
        'missed_chunks',
        'nothing_fits',
        'left_out',
        'warnings',
        'audit_token',
        'audit_closed',
        'created_at',
      ],
    ]);
    expect(AuditPageEntry.parse(entry)).toEqual(entry);
    const { session_start, created_at, audit_closed } = AuditPageEntry.parse(entry);
    expect([session_start, created_at].map((it) => new Date(it).toISOString())).toEqual([session_start, created_at]);
    expect((audit_closed ?? '') >= created_at).toBe(true);
  });

  test('the audit of an agent lists only its entries', async () => {
    const server = await running(peers);
    await recall(server, 'hand over');
    await recall(server, 'spend money', 'cto2');
    expect((await page(server)).map((it) => it.intent)).toEqual(['hand over']);
    expect((await page(server, '', CTO_ID)).map((it) => it.intent)).toEqual(['hand over']);
    expect((await page(server, '', 'cto2')).map((it) => it.intent)).toEqual(['spend money']);
    expect(await page(server, '', 'ct')).toEqual([]);
  });

  test.each([
    ['one after the other', 1000],
    ['in one millisecond', 0],
  ])('the audit is listed newest first, in pages that lose no entry, if they were written %s', async (_, step) => {
    let at = 1_800_000_000_000;
    const server = await running({ ...peers, now: () => (at += step) });
    const intents = ['one', 'two', 'three', 'four', 'five'];
    for (const intent of intents) await recall(server, intent);
    expect((await page(server)).map((it) => it.intent)).toEqual([...intents].reverse());
    expect((await page(server, '?limit=2')).map((it) => it.intent)).toEqual(['five', 'four']);
    expect(await readPages(server)).toEqual([...intents].reverse());
  });

  test('a page that cannot be is request_invalid, and no agent may list (§21.4.5)', async () => {
    const server = await running(peers);
    await recall(server, 'hand over');
    for (const query of ['limit=0', 'limit=201', 'limit=x', 'limit=1.5', 'before=-1', 'before=yesterday', 'offset=3']) {
      const answer = await server.ask('admin', 'GET', `/v1/agents/cto/audit?${query}`);
      expect([query, answer.status, answer.code]).toEqual([query, 400, 'request_invalid']);
    }
    for (const who of ['cto', 'cto2', 'ghost'] as const) {
      for (const id of ['cto', 'cto2', 'nobody']) {
        const answer = await server.ask(who, 'GET', `/v1/agents/${id}/audit`);
        expect([who, id, answer.status, answer.code]).toEqual([who, id, 403, 'instruction_scope_denied']);
        expect(answer.text).not.toContain('hand over');
      }
    }
  });
});
