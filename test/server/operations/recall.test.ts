import { beforeAll, describe, expect, test } from 'vitest';
import { RecallResponse } from '../../../compiler/schema/api/recall.ts';
import { compiledPeers, CTO_UNITS, type CompiledPeers } from '../deployment.ts';
import { running, type Running } from '../running.ts';

let server: Running;
let peers: CompiledPeers;

beforeAll(async () => {
  peers = await compiledPeers();
  server = await running(peers);
});

const ask = async (json: object, query = '') => {
  const answer = await server.ask('cto', 'POST', `/v1/agents/cto/recall-instruction${query}`, { json });
  expect(answer.status).toBe(200);
  return RecallResponse.parse(answer.json());
};
const names = ({ chunks }: RecallResponse) => chunks.map((it) => it.name);

describe('§21.3.2 the answer', () => {
  test('the answer to a recall has the documented shape', async () => {
    const answer = await server.recall('cto', 'cto', { intent: 'I am done for today and hand over' });
    const body = RecallResponse.parse(answer.json());
    expect(answer.headers['content-type']).toMatch(/^application\/json\b/);
    expect(body.chunks[0]).toMatchObject({
      name: 'wrap-up',
      fact_uri: 'instruction:acme/agent/cto/wrap-up/v1',
      version: 'v1',
      source: 'stigmem',
      valid_until: null,
    });
    expect(body.chunks[0]?.content).toContain('Do it: How to leave work.');
    expect(body.total_tokens).toBe(body.chunks.reduce((sum, it) => sum + it.tokens, 0));
    expect(body.audit_token).toMatch(/^audi_/);
    expect(body).not.toHaveProperty('explain');
    expect(body).not.toHaveProperty('left_out');
  });

  test('§21.4.2 a recall returns only the latest version of a unit', async () => {
    const body = await ask({ intent: 'decide on a release', max_chunks: 50 });
    const found = body.chunks.filter((it) => it.name === 'release-decision');
    expect(found.map((it) => [it.version, it.content.includes('Second text.')])).toEqual([['v2', true]]);
  });

  test('a recall can return shared units (DESIGN §6.1)', async () => {
    const body = await ask({ intent: 'start a heartbeat' });
    expect(body.chunks[0]?.fact_uri).toBe('instruction:acme/heartbeat/v1');
  });

  test('equal recalls get equal answers, except for the audit token (§21.3.4)', async () => {
    const request = { intent: 'production is down and I hand over', manifest_hint: ['escalation'], max_chunks: 4 };
    const [one, two] = [await ask(request), await ask(request)];
    expect({ ...two, audit_token: null }).toEqual({ ...one, audit_token: null });
    expect(two.audit_token).not.toBe(one.audit_token);
  });

  test('equal recalls get equal answers from two servers, and with a key by id (§21.3.4)', async () => {
    const other = await running(peers);
    const request = { intent: 'hand over after the release', max_chunks: 5 };
    const here = (await server.recall('cto', 'cto', request)).json();
    const there = (await other.recall('ctoById', 'cto', request)).json();
    expect({ ...there, audit_token: null }).toEqual({ ...here, audit_token: null });
  });
});

describe('§21.3.1 the request', () => {
  test('a recall asks for 3 chunks and 2,000 tokens by default', async () => {
    const intent = 'heartbeat person release production hand over';
    const [short, full] = [await ask({ intent }), await ask({ intent, max_chunks: 3, token_budget: 2000 })];
    expect({ ...short, audit_token: null }).toEqual({ ...full, audit_token: null });
    expect(short.chunks).toHaveLength(3);
  });

  test('a hint may be the URI of the agent’s own or of a shared unit, in both forms (DESIGN §6.1)', async () => {
    const own = ['instruction:acme/agent/cto/wrap-up/v1', 'instruction:acme/cto/release-decision/v1'];
    const body = await ask({ intent: 'zxqv', manifest_hint: [...own, 'instruction:acme/heartbeat/v1'] });
    expect(body.chunks.map((it) => [it.name, it.version])).toEqual([
      ['wrap-up', 'v1'],
      ['release-decision', 'v2'],
      ['heartbeat', 'v1'],
    ]);
    expect(body.missed_hints).toEqual([]);
  });

  test('a hint with another spelling, or beyond the tenth, is named in missed_hints, not refused (DESIGN §6.6)', async () => {
    const odd = ['Wrap-Up', 'wrap‐up', '', '../wrap-up', 'wrap-up\0', '\ud800', '__proto__', 'x'.repeat(5000)];
    const body = await ask({ intent: 'zxqv', manifest_hint: [...odd, 'wrap-up', 'wrap-up', 'incident', 'heartbeat'] });
    expect(names(body)).toEqual(['wrap-up', 'incident']);
    expect(body.missed_hints).toEqual([...odd, 'heartbeat']);
  });

  test('a unit that exceeds the token_budget is skipped, the next is tried, and truncated is true (DESIGN §6.6)', async () => {
    const request = { intent: 'finish with wrap-up: production is down' };
    const whole = await ask(request);
    const [first, second, third] = names(whole);
    expect([first, second, whole.truncated]).toEqual(['wrap-up', 'incident', false]);
    const cut = await ask({ ...request, token_budget: 120 }, '?explain=true');
    expect([names(cut).slice(0, 2), cut.truncated]).toEqual([['wrap-up', third], true]);
    expect(names(cut)).not.toContain('incident');
    expect(cut.explain?.units.find((it) => it.name === 'incident')?.outcome).toBe('over_token_budget');
  });

  test('an intent that matches nothing gets an empty answer with the warning low_confidence', async () => {
    const body = await ask({ intent: 'zxqv' });
    expect([body.chunks, body.warnings]).toEqual([[], ['low_confidence']]);
  });
});

describe('§21.3.3 another agent’s garden', () => {
  test('units of another agent cannot be recalled by a hint, a name or a URI', async () => {
    const intent = 'unit:budget `scans` spend money instruction:acme/agent/cto2/budget/v1 read a scan';
    const there = ['budget', 'instruction:acme/agent/cto2/budget/v1', 'instruction:acme/ct/scans/v1'];
    const nowhere = there.map((it) => it.replace(/budget|scans/, 'nothing'));
    const body = await ask({ intent, manifest_hint: [...there, ...nowhere], max_chunks: 50 }, '?explain=true');
    expect(body.missed_hints).toEqual([...there, ...nowhere]);
    expect(names(body).filter((it) => !CTO_UNITS.includes(it))).toEqual([]);
    expect(JSON.stringify(body)).not.toContain('Secret of');
  });
});

describe('DESIGN §6.6 explain', () => {
  test('explain names every unit that the agent can recall, with its outcome', async () => {
    const body = await ask({ intent: 'done for today', manifest_hint: ['heartbeat'], max_chunks: 2 }, '?explain=true');
    const units = body.explain?.units ?? [];
    expect(units.map((it) => it.name)).toEqual(CTO_UNITS);
    const came = units.filter((it) => ['hint', 'ranked', 'guaranteed'].includes(it.outcome)).map((it) => it.name);
    expect(came.sort()).toEqual(names(body).sort());
    const placed = units.filter((it) => it.place !== null).sort((a, b) => (a.place ?? 0) - (b.place ?? 0));
    expect(placed.map((it) => it.name)).toEqual(names(body));
    const scores = new Map(units.map((it) => [it.name, it.score]));
    for (const chunk of body.chunks) expect(chunk.score).toBe(scores.get(chunk.name));
  });

  test('explain changes nothing else in the answer, and is only returned on request', async () => {
    const request = { intent: 'done for today' };
    const { explain, ...explained } = await ask(request, '?explain=true');
    expect(explain?.units).toHaveLength(CTO_UNITS.length);
    for (const query of ['', '?explain=false', '?explain=', '?explain=1&explain=true', '?other=true']) {
      expect({ ...(await ask(request, query)), audit_token: null }).toEqual({ ...explained, audit_token: null });
    }
  });
});
