import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { anyCharacter } from '../../support/any-character.ts';
import { compiledPeers, CT_ID, CTO2_ID, CTO_ID } from '../deployment.ts';
import { running, type Answer, type Running, type Who, statusAndCode } from '../running.ts';

let server: Running;

beforeAll(async () => {
  server = await running(await compiledPeers());
});

/** Every route that names an agent, with a valid body, and the status that an administrator gets for `cto`. */
const AGENT_ROUTES: readonly [method: string, route: string, admin: number, json?: object][] = [
  ['GET', 'boot-stub', 200],
  ['GET', 'instruction-manifest', 200],
  ['PUT', 'instruction-manifest', 405, { version: 'v9', entries: [] }],
  ['GET', 'instruction-manifest/coverage', 200],
  ['POST', 'recall-instruction', 200, { intent: 'hand over' }],
  ['GET', 'audit', 200],
];
/** Ids that are not the cto's: of its peers, similar to its own, and unknown ones. */
const OTHERS = [
  ...['cto2', 'ct', CTO2_ID, CT_ID, 'shared', 'nobody', '00000000-0000-4000-8000-000000000000'],
  ...['c', 'to', 'CTO', CTO_ID.toUpperCase(), CTO_ID.slice(0, 8), 'cto%20', '%2e%2e%2fcto', '__proto__', '%00', '*'],
];
const askAgent = (who: Who | null, id: string, [method, route, , json]: (typeof AGENT_ROUTES)[number]) =>
  server.ask(who, method, `/v1/agents/${id}/${route}`, { json });
const bytesOf = ({ status, headers, text }: Answer) => ({ status, headers, text });
const denied = [403, 'instruction_scope_denied'];

describe('§21.8 authentication', () => {
  const forms: [name: string, header: () => string | undefined][] = [
    ['no Authorization', () => undefined],
    ['another scheme', () => `Basic ${server.keys.cto}`],
    ['a key without its scheme', () => server.keys.cto],
    ['something that is no key', () => 'Bearer open-sesame'],
    ['an empty key', () => 'Bearer '],
    ['an unknown key', () => `Bearer vade_${'0'.repeat(16)}_${'0'.repeat(64)}`],
    ['a known id with another secret', () => `Bearer ${server.keys.cto.slice(0, -64)}${'0'.repeat(64)}`],
    ['a key with a character too many', () => `Bearer ${server.keys.cto}0`],
    ['the stored hash in place of the secret', () => `Bearer vade_${server.records.cto.id}_${server.records.cto.hash}`],
    ['a revoked key', () => `Bearer ${server.keys.revoked}`],
  ];

  test.each(forms)('%s is unauthenticated', async (_name, header) => {
    const authorization = header();
    const headers = authorization === undefined ? {} : { authorization };
    const answer = await server.ask(null, 'GET', '/v1/agents/cto/boot-stub', { headers });
    expect(statusAndCode(answer)).toEqual([401, 'unauthenticated']);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test.each(AGENT_ROUTES)(
    'without a key, %s %s has the same answer for an existing and an unknown agent',
    async (...route) => {
      const one = await askAgent(null, 'cto', route);
      expect(one.status).toBe(401);
      expect(bytesOf(await askAgent(null, 'nobody', route))).toEqual(bytesOf(one));
    },
  );
});

describe('§21.4.4 an agent reads its own garden', () => {
  test.each([
    ['cto', 'cto'],
    ['cto', CTO_ID],
    ['ctoById', 'cto'],
    ['ctoById', CTO_ID],
    ['cto2', CTO2_ID],
    ['ct', 'ct'],
  ] as const)('an agent with the key %s can read its own garden by the id %s', async (who, id) => {
    expect((await server.ask(who, 'GET', `/v1/agents/${id}/boot-stub`)).status).toBe(200);
    expect((await server.recall(who, id, { intent: 'start a heartbeat' })).status).toBe(200);
  });

  test.each([
    ['cto', 'cto2'],
    ['cto', 'ct'],
    ['cto2', 'cto'],
    ['ct', 'cto'],
    ['ct', 'cto2'],
    ['ctoById', CTO2_ID],
  ] as const)('the key %s does not give access to the agent %s, even if their names overlap', async (who, id) => {
    for (const route of AGENT_ROUTES) expect(statusAndCode(await askAgent(who, id, route))).toEqual(denied);
  });
});

describe('§21.4.5 denials do not reveal which gardens exist', () => {
  test.each(AGENT_ROUTES)('%s %s has the same denial for every other agent, existing or not', async (...route) => {
    const one = await askAgent('cto', 'cto2', route);
    expect(statusAndCode(one)).toEqual(denied);
    for (const id of OTHERS) expect([id, bytesOf(await askAgent('cto', id, route))]).toEqual([id, bytesOf(one)]);
  });

  test('any other id, of any characters, gets the same denial', async () => {
    const bytesFor = async (id: string) => bytesOf(await server.ask('cto', 'GET', `/v1/agents/${id}/boot-stub`));
    const one = await bytesFor('cto2');
    const foreign = fc
      .string({ unit: anyCharacter, minLength: 1 })
      .filter((id) => !['cto', CTO_ID, '.', '..'].includes(id));
    await fc.assert(
      fc.asyncProperty(foreign, async (id) => {
        expect(await bytesFor(encodeURIComponent(id))).toEqual(one);
      }),
    );
  });

  test('an invalid request for another agent gets the same denial as a valid one', async () => {
    const ask = (id: string) => server.recall('cto', id, { intent: ' ', max_chunks: 0 });
    expect(statusAndCode(await ask('cto2'))).toEqual(denied);
    expect(bytesOf(await ask('nobody'))).toEqual(bytesOf(await ask('cto2')));
  });

  test('an agent cannot read its own audit', async () => {
    expect(statusAndCode(await server.ask('cto', 'GET', '/v1/agents/cto/audit'))).toEqual(denied);
  });
});

describe('§21.4.4 an administrator', () => {
  test.each(AGENT_ROUTES)('%s %s by an administrator has the status %i for every agent', async (...route) => {
    for (const id of ['cto', CTO_ID, 'cto2', 'ct', CT_ID]) {
      const answer = await askAgent('admin', id, route);
      expect([id, answer.status]).toEqual([id, route[2]]);
      expect(answer.code).not.toBe('agent_not_found');
    }
  });

  test.each(AGENT_ROUTES)('%s %s by an administrator is agent_not_found for an unknown agent', async (...route) => {
    for (const id of ['nobody', 'shared', 'CTO', 'c', '__proto__', '00000000-0000-4000-8000-000000000000']) {
      expect([id, ...statusAndCode(await askAgent('admin', id, route))]).toEqual([id, 404, 'agent_not_found']);
    }
  });
});

describe('DESIGN §6.12 a key for an agent that the bundle does not have', () => {
  test('a key for an agent that the bundle lacks gets agent_not_found for its own id', async () => {
    for (const route of ['boot-stub', 'instruction-manifest', 'instruction-manifest/coverage']) {
      const answer = await server.ask('ghost', 'GET', `/v1/agents/ghost/${route}`);
      expect([route, ...statusAndCode(answer)]).toEqual([route, 404, 'agent_not_found']);
    }
    expect(statusAndCode(await server.recall('ghost', 'ghost', { intent: 'x' }))).toEqual([404, 'agent_not_found']);
  });

  test('a key for an agent that the bundle lacks gives no access to other agents', async () => {
    for (const id of ['cto', 'cto2', 'shared', 'nobody']) {
      expect([id, ...statusAndCode(await server.recall('ghost', id, { intent: 'x' }))]).toEqual([id, ...denied]);
    }
  });
});
