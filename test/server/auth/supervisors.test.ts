import { beforeAll, describe, expect, test } from 'vitest';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { TrustRoot } from '../../../compiler/schema/source/trust-root.ts';
import { recallInstruction } from '../../../server/operations/recall.ts';
import { person, staff } from '../../support/staff.ts';
import { CTO2_ID, CTO_ID } from '../deployment.ts';
import { snapshotFrom, recording } from '../recording.ts';
import { related, type Related } from '../relations.ts';
import { running, type Running, type Who, statusAndCode } from '../running.ts';

let deployment: Related;
let server: Running;

beforeAll(async () => {
  deployment = await related({ over: { supervisors: { cto: ['cto2', 'gone'], cto2: ['ct'], ghost: ['cto'] } } });
  server = await running(deployment);
});

const DENIED = [403, 'instruction_scope_denied'];
const get = (who: Who, id: string, route = 'boot-stub') => server.ask(who, 'GET', `/v1/agents/${id}/${route}`);
const fact = (who: Who, uri: string) => server.ask(who, 'GET', `/v1/facts/${encodeURIComponent(uri)}`);

describe('§21.4.5 supervisors', () => {
  test.each(['cto2', CTO2_ID])(
    'a supervisor can read stub, manifest, coverage and facts of its report, and recall, by the id %s',
    async (id) => {
      expect((await get('cto', id)).text).toBe((await get('cto2', id)).text);
      expect((await get('cto', id, 'instruction-manifest')).text).toBe(
        (await get('cto2', id, 'instruction-manifest')).text,
      );
      const coverage = await get('cto', id, 'instruction-manifest/coverage');
      expect(statusAndCode(coverage)).toEqual(statusAndCode(await get('cto2', id, 'instruction-manifest/coverage')));
      const answer = await server.recall('cto', id, { intent: 'spend money' });
      expect(answer.text).toContain('Secret of cto2.');
      expect((await fact('cto', `instruction:acme/agent/${id}/budget/v1`)).text).toContain('Secret of cto2.');
    },
  );

  test('a supervisor can read with a key or a token that names it by its UUID', async () => {
    expect((await get('ctoById', 'cto2')).status).toBe(200);
    const headers = { authorization: `Bearer ${await deployment.plane.sign(CTO_ID)}` };
    expect((await server.ask(null, 'GET', '/v1/agents/cto2/boot-stub', { headers })).status).toBe(200);
  });

  test('a supervisor cannot read its report’s report, its own supervisor, or missing agents', async () => {
    for (const [who, id] of [
      ['cto', 'ct'],
      ['cto2', 'cto'],
      ['ct', 'cto2'],
      ['cto', 'gone'],
      ['cto', 'nobody'],
      ['ghost', 'cto'],
    ] as const) {
      expect([who, id, ...statusAndCode(await get(who, id))]).toEqual([who, id, ...DENIED]);
      expect([who, id, ...statusAndCode(await server.recall(who, id, { intent: 'x' }))]).toEqual([who, id, ...DENIED]);
    }
  });

  test('a supervisor cannot read the audit, send a heartbeat or publish for its report', async () => {
    expect(statusAndCode(await get('cto', 'cto2', 'audit'))).toEqual(DENIED);
    const body = { json: { version: 'v2', entries: [] } };
    expect(statusAndCode(await server.ask('cto', 'PUT', '/v1/agents/cto2/instruction-manifest', body))).toEqual(DENIED);
    const headers = { authorization: `Bearer ${await deployment.plane.sign('cto')}` };
    expect(statusAndCode(await server.ask(null, 'POST', '/v1/agents/cto2/heartbeat', { headers }))).toEqual(DENIED);
  });

  test('a supervisor cannot close a recall of its report’s garden, even its own recall', async () => {
    for (const who of ['cto', 'cto2'] as const) {
      const { audit_token } = (await server.recall(who, 'cto2', { intent: 'spend money' })).json();
      const closing = await server.ask('cto', 'POST', '/v1/instruction/audit', { json: { audit_token } });
      expect(statusAndCode(closing)).toEqual([400, 'audit_token_invalid']);
    }
  });
});

describe('§21.5.1 the audit records the garden and the caller', () => {
  test.each([
    ['its supervisor', { kind: 'agent', agent: CTO_ID }, 'acme/agent/cto'],
    ['the agent itself', { kind: 'agent', agent: 'cto2' }, 'acme/agent/cto2'],
    ['an administrator', { kind: 'admin', entity: 'acme/human/ann' }, 'acme/human/ann'],
  ] as const)('a recall by %s is recorded for the garden’s agent, with its caller', async (_, holder, asked_by) => {
    const { records, call } = recording();
    const at = Date.now();
    const identity = { holder, id: 'key:1', heartbeat: null, at };
    const context = { identity, agent: 'cto2', snapshot: snapshotFrom(deployment, at) };
    const options = { explain: false, heartbeat: undefined };
    await recallInstruction(call(context, at), RecallRequest.parse({ intent: 'spend money' }), options);
    expect(records).toMatchObject([{ agent_id: CTO2_ID, asked_by, kind: 'recall' }]);
  });
});

describe('supervisors in a trust root', () => {
  const root = (supervisors: unknown) => ({ ...staff([person('ann')]).root.root, supervisors });

  test('a trust root in which an agent supervises itself, or with a malformed name, is invalid', () => {
    for (const bad of [{ cto: ['cto'] }, { cto: [] }, { CTO: ['ct'] }, { cto: ['acme/agent/ct'] }, { cto: 'ct' }, []]) {
      expect([bad, TrustRoot.safeParse(root(bad)).success]).toEqual([bad, false]);
    }
    expect(TrustRoot.safeParse(root({ cto: ['ct', 'cto2'] })).success).toBe(true);
  });
});
