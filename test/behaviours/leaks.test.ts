import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Identity } from '../../server/auth/authenticate.ts';
import { authorise, snapshotOf } from '../../server/auth/authorize.ts';
import type { Snapshot, Rollout } from '../../server/rollout/snapshot.ts';
import { CT_ID, CTO2_ID, CTO_ID } from '../server/deployment.ts';
import { snapshotFrom } from '../server/recording.ts';
import { grant, grantOf, related, type Related } from '../server/relations.ts';
import { running, type Answer, type AskOptions, type Running } from '../server/running.ts';

const NOW = Date.parse('2027-06-01T00:00:00Z');
const WHOLE: readonly [method: string, route: string, json?: object][] = [
  ['GET', 'boot-stub'],
  ['GET', 'boot-stub?profile=generic'],
  ['GET', 'instruction-manifest'],
  ['PUT', 'instruction-manifest', { version: 'v9', entries: [] }],
  ['GET', 'instruction-manifest/coverage'],
  ['POST', 'recall-instruction', { intent: 'spend money' }],
  ['POST', 'recall-instruction?explain=true', { intent: 'spend money', manifest_hint: ['budget'] }],
  ['POST', 'heartbeat'],
  ['POST', 'heartbeat', { profile: 7 }],
  ['GET', 'audit'],
];
const NOBODY = 'nobody';
/** Whom the `ct` may not read: there, there with a grant for somebody else, and not there at all. */
const OTHERS = ['cto', CTO_ID, 'cto2', CTO2_ID, 'shared', '__proto__', 'constructor', CT_ID.toUpperCase(), 'ct%20'];

let place: Related;
let server: Running;

beforeAll(async () => {
  place = await related({
    over: { supervisors: { cto: ['cto2'] } },
    change: (repo, ann) => {
      grant(repo, grantOf('cto2', 'cto'), ann);
      grant(repo, grantOf('cto', 'ct', { expires: '2027-01-01T00:00:00Z' }), ann);
    },
  });
  server = await running({ ...place, now: () => NOW });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** All of an answer but what is made up for each request. */
const seen = ({ status, headers: { 'x-request-id': _, ...headers }, text }: Answer) => ({
  status,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith('ratelimit'))),
  text,
});
const token = (sub: string, over: Parameters<Related['plane']['sign']>[1] = {}) =>
  place.plane.sign(sub, { now: NOW, ...over });
const bearing = (bearer: string, more: AskOptions = {}): AskOptions => ({
  ...more,
  headers: { authorization: `Bearer ${bearer}` },
});

describe('§21.4.5 foreign agents look like unknown ones', () => {
  test.each(WHOLE)(
    '%s %s: foreign and unknown agents give the same answer, byte for byte, by key and by token',
    async (method, route, json) => {
      const bearerToken = await token('ct');
      const ask = (id: string) => server.ask('ct', method, `/v1/agents/${id}/${route}`, { json });
      const askByToken = (id: string) =>
        server.ask(null, method, `/v1/agents/${id}/${route}`, bearing(bearerToken, { json }));
      const one = seen(await ask(NOBODY));
      expect([one.status, one.text]).toEqual([403, expect.stringContaining('instruction_scope_denied')]);
      expect(seen(await askByToken(NOBODY))).toEqual(one);
      for (const id of OTHERS) expect([id, seen(await ask(id))]).toEqual([id, one]);
      for (const id of OTHERS) expect([id, seen(await askByToken(id))]).toEqual([id, one]);
    },
  );

  test('facts of foreign and unknown agents give the same answer in every form of their URI', async () => {
    const ask = (uri: string) => server.ask('ct', 'GET', `/v1/facts/${encodeURIComponent(uri)}`);
    const one = seen(await ask('instruction:acme/agent/nobody/budget/v1'));
    expect(one.status).toBe(403);
    for (const uri of ['agent/cto2/budget/v1', `${CTO2_ID}/budget/v1`, 'agent/cto/manifest/v1', 'agent/cto/gone/v9']) {
      expect([uri, seen(await ask(`instruction:acme/${uri}`))]).toEqual([uri, one]);
    }
  });

  test('every invalid credential gets the same answer', async () => {
    const past = NOW - 3_600_000;
    const bearers = [
      ...['open-sesame', `vade_${'0'.repeat(16)}_${'0'.repeat(64)}`, server.keys.revoked, 'a.b.c', 'x'.repeat(8000)],
      await token('ct', { now: past }),
      await token('acme/human/eve'),
      await token('ct', { header: { kid: 'unknown' } }),
      await token('ct', { claims: { aud: 'elsewhere' } }),
      await token('ct', { claims: { more: 'x'.repeat(5000) } }),
      `${(await token('ct')).slice(0, -40)}${'A'.repeat(40)}`,
    ];
    const one = seen(await server.ask(null, 'GET', '/v1/agents/ct/boot-stub'));
    expect([one.status, one.text]).toEqual([401, expect.stringContaining('unauthenticated')]);
    for (const [i, bearer] of bearers.entries()) {
      for (const id of ['ct', NOBODY]) {
        const answer = await server.ask(null, 'GET', `/v1/agents/${id}/boot-stub`, bearing(bearer));
        expect([i, seen(answer)]).toEqual([i, one]);
      }
    }
  });

  test('no token, key or text of another agent is in the log', async () => {
    const bearer = await token('ct');
    await server.ask(null, 'GET', '/v1/agents/cto2/boot-stub', bearing(bearer));
    await server.ask(null, 'GET', '/v1/agents/ct/boot-stub', bearing(`${bearer}x`));
    const log = JSON.stringify(server.log);
    for (const part of [...bearer.split('.'), server.keys.ct.slice(-64), 'Secret of']) expect(log).not.toContain(part);
  });
});

describe('refused requests read no garden', () => {
  test('a refused request reads nothing of a garden, whether it exists or not', () => {
    const { gardens } = snapshotFrom(place, NOW);
    const reads = [vi.spyOn(gardens, 'load'), vi.spyOn(gardens, 'envelope'), vi.spyOn(gardens.bundle, 'readGarden')];
    const cto2 = { ...identityOf('cto2') };
    for (const id of ['cto', CTO_ID, 'ct', NOBODY]) {
      expect(() => authorise(cto2, id, gardens)).toThrow(expect.objectContaining({ code: 'instruction_scope_denied' }));
    }
    expect(reads.map((it) => it.mock.calls.length)).toEqual([0, 0, 0]);
  });

  test('a grant is verified once, not at each request', () => {
    const { gardens } = snapshotFrom(place, NOW);
    const file = vi.spyOn(gardens.bundle, 'readFile');
    for (const at of [NOW, NOW + 1, NOW + 2]) expect(() => authorise(identityOf('ct', at), 'cto', gardens)).toThrow();
    expect(file).toHaveBeenCalledTimes(1);
  });
});

const identityOf = (agent: string, at = NOW): Identity => ({
  ...{ holder: { kind: 'agent', agent }, id: `key:${agent}`, heartbeat: null, at },
});

describe('canaries are hidden from peers', () => {
  let main: Snapshot;
  let canary: Snapshot;
  let rollout: Pick<Rollout, 'snapshotFor'>;
  const answers = (identity: Identity, id: string) => snapshotOf(rollout, identity, id) === canary;

  beforeAll(() => {
    [main, canary] = [snapshotFrom(place, NOW), snapshotFrom(place, NOW)];
    const snapshotFor = (agent: string) => (['cto2', CTO2_ID].includes(agent) ? canary : main);
    rollout = { snapshotFor: snapshotFor };
  });

  test.each(['cto2', CTO2_ID])(
    'the agent itself, its supervisor and an administrator are answered from the canary: %s',
    (id) => {
      expect(answers(identityOf('cto2'), id)).toBe(true);
      expect(answers(identityOf(CTO2_ID), id)).toBe(true);
      expect(answers(identityOf('cto'), id)).toBe(true);
      expect(answers({ ...identityOf(''), holder: { kind: 'admin', entity: 'acme/human/ann' } }, id)).toBe(true);
    },
  );

  test('a peer is answered from its own snapshot, whichever agent it names', () => {
    for (const id of ['cto2', CTO2_ID, 'cto', NOBODY]) expect([id, answers(identityOf('ct'), id)]).toEqual([id, false]);
    for (const id of ['ct', 'cto', NOBODY]) expect([id, answers(identityOf('cto2'), id)]).toEqual([id, true]);
  });
});
