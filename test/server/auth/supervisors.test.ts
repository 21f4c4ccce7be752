import { beforeAll, describe, expect, test } from 'vitest';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { TrustRoot } from '../../../compiler/schema/source/trust-root.ts';
import { supervises } from '../../../compiler/trust/grant.ts';
import { recallInstruction } from '../../../server/operations/recall.ts';
import { person, staff } from '../../support/staff.ts';
import { CTO2_ID, CTO_ID } from '../deployment.ts';
import { editionFrom, recording } from '../recording.ts';
import { related, type Related } from '../relations.ts';
import { running, type Answer, type Running, type Who } from '../running.ts';

let place: Related;
let server: Running;

beforeAll(async () => {
  place = await related({ over: { supervisors: { cto: ['cto2', 'gone'], cto2: ['ct'], ghost: ['cto'] } } });
  server = await running(place);
});

const told = (answer: Answer) => [answer.status, answer.code];
const DENIED = [403, 'instruction_scope_denied'];
const get = (who: Who, id: string, route = 'boot-stub') => server.ask(who, 'GET', `/v1/agents/${id}/${route}`);
const fact = (who: Who, uri: string) => server.ask(who, 'GET', `/v1/facts/${encodeURIComponent(uri)}`);

describe('§21.4.5 a supervisor that the trust root declares', () => {
  test.each(['cto2', CTO2_ID])(
    'reads a report’s garden, by the id %s: stub, manifest, facts, and by recall',
    async (id) => {
      expect((await get('cto', id)).text).toBe((await get('cto2', id)).text);
      expect((await get('cto', id, 'instruction-manifest')).text).toBe(
        (await get('cto2', id, 'instruction-manifest')).text,
      );
      const coverage = await get('cto', id, 'instruction-manifest/coverage');
      expect(told(coverage)).toEqual(told(await get('cto2', id, 'instruction-manifest/coverage')));
      const answer = await server.recall('cto', id, { intent: 'spend money' });
      expect(answer.text).toContain('Secret of cto2.');
      expect((await fact('cto', `instruction:acme/agent/${id}/budget/v1`)).text).toContain('Secret of cto2.');
    },
  );

  test('by a key or a token that names it by its UUID, too', async () => {
    expect((await get('ctoById', 'cto2')).status).toBe(200);
    const headers = { authorization: `Bearer ${await place.plane.sign(CTO_ID)}` };
    expect((await server.ask(null, 'GET', '/v1/agents/cto2/boot-stub', { headers })).status).toBe(200);
  });

  test('reads no other: not a report’s report, not whom it reports to, nor those who are not there', async () => {
    for (const [who, id] of [
      ['cto', 'ct'],
      ['cto2', 'cto'],
      ['ct', 'cto2'],
      ['cto', 'gone'],
      ['cto', 'nobody'],
      ['ghost', 'cto'],
    ] as const) {
      expect([who, id, ...told(await get(who, id))]).toEqual([who, id, ...DENIED]);
      expect([who, id, ...told(await server.recall(who, id, { intent: 'x' }))]).toEqual([who, id, ...DENIED]);
    }
  });

  test('reads and no more: no audit, no heartbeat, no publishing', async () => {
    expect(told(await get('cto', 'cto2', 'audit'))).toEqual(DENIED);
    const body = { json: { version: 'v2', entries: [] } };
    expect(told(await server.ask('cto', 'PUT', '/v1/agents/cto2/instruction-manifest', body))).toEqual(DENIED);
    const headers = { authorization: `Bearer ${await place.plane.sign('cto')}` };
    expect(told(await server.ask(null, 'POST', '/v1/agents/cto2/heartbeat', { headers }))).toEqual(DENIED);
  });

  test('closes none of its report’s recalls, not even one that it asked for', async () => {
    for (const who of ['cto', 'cto2'] as const) {
      const { audit_token } = (await server.recall(who, 'cto2', { intent: 'spend money' })).json();
      const closing = await server.ask('cto', 'POST', '/v1/instruction/audit', { json: { audit_token } });
      expect(told(closing)).toEqual([400, 'audit_token_invalid']);
    }
  });
});

describe('§21.5.1 the audit says whose garden was asked, and by whom', () => {
  test.each([
    ['its supervisor', { kind: 'agent', agent: CTO_ID }, 'acme/agent/cto'],
    ['the agent itself', { kind: 'agent', agent: 'cto2' }, 'acme/agent/cto2'],
    ['an administrator', { kind: 'admin', entity: 'acme/human/ann' }, 'acme/human/ann'],
  ] as const)('%s', async (_, holder, asked_by) => {
    const { kept, call } = recording();
    const at = Date.now();
    const identity = { holder, id: 'key:1', heartbeat: null, at };
    const asked = { identity, agent: 'cto2', snapshot: editionFrom(place, at) };
    const options = { explain: false, heartbeat: undefined };
    await recallInstruction(call(asked, at), RecallRequest.parse({ intent: 'spend money' }), options);
    expect(kept).toMatchObject([{ agent_id: CTO2_ID, asked_by, kind: 'recall' }]);
  });
});

describe('supervisors in a trust root', () => {
  const root = (supervisors: unknown) => ({ ...staff([person('ann')]).root.root, supervisors });

  test('nobody is its own, and names are names', () => {
    for (const bad of [{ cto: ['cto'] }, { cto: [] }, { CTO: ['ct'] }, { cto: ['acme/agent/ct'] }, { cto: 'ct' }, []]) {
      expect([bad, TrustRoot.safeParse(root(bad)).success]).toEqual([bad, false]);
    }
    expect(TrustRoot.safeParse(root({ cto: ['ct', 'cto2'] })).success).toBe(true);
  });

  test('an agent that is called like a member of every object supervises nobody by it', () => {
    const read = TrustRoot.parse(root({ cto: ['ct'] }));
    expect(supervises(read, 'constructor', 'ct')).toBe(false);
    expect(supervises(TrustRoot.parse(root({ constructor: ['ct'] })), 'constructor', 'ct')).toBe(true);
    expect(supervises(TrustRoot.parse(root(undefined)), 'cto', 'ct')).toBe(false);
  });
});
