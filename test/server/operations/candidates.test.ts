import { beforeAll, describe, expect, test } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { RecallResponse } from '../../../compiler/schema/api/recall.ts';
import { auditTokens } from '../../../server/auth/audit-token.ts';
import { rowOf } from '../audit-file.ts';
import { compiledPeers, CTO2_ID, CTO_UNITS } from '../deployment.ts';
import { running, type Running, type Who, statusAndCode } from '../running.ts';

const at = Date.now();
let server: Running;

beforeAll(async () => {
  server = await running({ ...(await compiledPeers()), now: () => at });
});

const EVERYTHING = 'heartbeat person release production hand over spend money read a scan';
const recall = (json: object, who: Who = 'cto') => server.recall(who, who, { intent: EVERYTHING, ...json });
const ask = async (json: object, who: Who = 'cto') => {
  const answer = await recall(json, who);
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  return RecallResponse.parse(answer.json());
};
const named = ({ candidates = [] }: RecallResponse) => candidates.map((it) => it.name);
const tokenOf = async (who: Who = 'cto') => (await ask({}, who)).audit_token ?? '';
const close = (json: object, who: Who = 'cto') => server.ask(who, 'POST', '/v1/instruction/audit', { json });

describe('candidates over HTTP', () => {
  test('an answer has the shape of §21.3.2 unless candidates are asked for', async () => {
    const answer = await recall({ max_chunks: 1, candidates: 0 });
    const shape = ['chunks', 'total_tokens', 'truncated', 'missed_hints', 'warnings', 'audit_token'];
    expect(Object.keys(answer.json()).sort()).toEqual(shape.sort());
  });

  test('candidates are the other units by name and description, without their texts', async () => {
    const answer = await recall({ max_chunks: 1, candidates: 50, candidates_budget: 10_000 });
    const body = RecallResponse.parse(answer.json());
    expect([...named(body), body.chunks[0]?.name].sort()).toEqual(CTO_UNITS);
    expect(body.candidates).toContainEqual({ name: 'incident', description: 'How to lead an incident' });
    expect(answer.text).not.toContain('Keep one person in charge');
    expect(body.more_candidates).toBe(0);
  });

  test('no candidate is a unit of another agent, whoever asks for how many', async () => {
    for (const [who, own] of [
      ['cto2', ['budget', 'escalation', 'heartbeat']],
      ['ct', ['escalation', 'heartbeat', 'scans']],
    ] as const) {
      const { chunks, ...body } = await ask({ max_chunks: 1, candidates: 50 }, who);
      const all = [...named({ chunks, ...body }), ...chunks.map((it) => it.name)];
      expect(own).toEqual(expect.arrayContaining(all));
    }
  });

  test.each([1, 20, 40, 60, 350])('candidates cost at most their budget of %i tokens', async (candidates_budget) => {
    const { candidates = [], more_candidates = 0 } = await ask({ max_chunks: 1, candidates: 12, candidates_budget });
    const cost = candidates.reduce((all, it) => all + countTokens(JSON.stringify(it)), 0);
    expect(cost).toBeLessThanOrEqual(candidates_budget);
    expect(candidates.length + more_candidates).toBe(4);
  });

  test.each([
    { candidates: -1 },
    { candidates: 51 },
    { candidates: 1.5 },
    { candidates: '3' },
    { candidates_budget: 0 },
    { candidates_budget: 10_001 },
    { follows: '' },
    { follows: 'x'.repeat(201) },
    { follows: ['audi_1'] },
  ])('a recall with %j is request_invalid', async (json) => {
    expect(statusAndCode(await recall(json))).toEqual([400, 'request_invalid']);
  });

  test('explain says which units were shown as candidates', async () => {
    const path = '/v1/agents/cto/recall-instruction?explain=true';
    const json = { intent: EVERYTHING, max_chunks: 1, candidates: 2 };
    const body = RecallResponse.parse((await server.ask('cto', 'POST', path, { json })).json());
    const shown = body.explain?.units.filter((it) => it.outcome === 'candidate') ?? [];
    expect(shown.map((it) => it.name).sort()).toEqual(named(body).sort());
    expect(shown).toHaveLength(2);
  });
});

describe('a recall that follows another one', () => {
  test('a candidate is recalled by its name, and the audit has what it follows and what was shown', async () => {
    const first = await ask({ max_chunks: 1, candidates: 3 });
    const [name = ''] = named(first);
    const request = { max_chunks: 1, manifest_hint: [name], follows: first.audit_token };
    const second = await ask(request);
    expect(second.chunks.map((it) => it.name)).toEqual([name]);
    const [asked, chosen] = [
      await rowOf(server.audit, 'recalls', first.audit_token),
      await rowOf(server.audit, 'recalls', second.audit_token),
    ];
    expect(asked).toMatchObject({ follows: null, candidates: JSON.stringify(named(first)) });
    expect(chosen).toMatchObject({ follows: first.audit_token, candidates: '[]' });
    expect(JSON.parse(String(chosen['request']))).not.toHaveProperty('follows');
  });

  test('what a recall follows never changes its answer', async () => {
    const request = { max_chunks: 1, candidates: 3, manifest_hint: ['incident'] };
    const [plain, following] = [await ask(request), await ask({ ...request, follows: await tokenOf() })];
    expect({ ...following, audit_token: null }).toEqual({ ...plain, audit_token: null });
  });

  test('a recall that follows another agent’s answer is audit_token_invalid, and neither learns of the other', async () => {
    const [mine, other] = [await tokenOf(), await tokenOf('cto2')];
    expect(statusAndCode(await recall({ follows: other }))).toEqual([400, 'audit_token_invalid']);
    expect(statusAndCode(await recall({ follows: mine }, 'cto2'))).toEqual([400, 'audit_token_invalid']);
    const forged = auditTokens([Buffer.alloc(32, 1)]).issue(CTO2_ID, at);
    expect(statusAndCode(await recall({ follows: forged }, 'cto2'))).toEqual([400, 'audit_token_invalid']);
  });
});

describe('a closing that nothing fitted', () => {
  const report = async (token: string) => rowOf(server.audit, 'instruction_audit', token);

  test.each([{}, { missed_chunks: ['travel'] }, { used_chunks: [] }])(
    'a recall is closed with nothing_fits and %j, and the audit has it',
    async (more) => {
      const audit_token = await tokenOf();
      expect((await close({ audit_token, nothing_fits: true, ...more })).status).toBe(204);
      expect(await report(audit_token)).toMatchObject({ used_chunks: '[]', nothing_fits: 1 });
    },
  );

  test('a closing without it says that something fitted', async () => {
    const audit_token = await tokenOf();
    await close({ audit_token, missed_chunks: ['travel'] });
    expect(await report(audit_token)).toMatchObject({ nothing_fits: 0 });
  });
});
