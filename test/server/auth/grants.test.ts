import { beforeAll, describe, expect, test } from 'vitest';
import { writeBundle } from '../../../compiler/io/bundle/write-bundle.ts';
import type { Approval } from '../../../compiler/schema/source/approval.ts';
import type { TrustRoot } from '../../../compiler/schema/source/trust-root.ts';
import { attestRoot } from '../../../compiler/trust/attest.ts';
import type { Signer } from '../../../compiler/trust/dsse.ts';
import { compileRepository, type TestTrust } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { person, staff } from '../../support/staff.ts';
import { CTO2_ID, peers } from '../deployment.ts';
import { grant, grantOf, related, type Related } from '../relations.ts';
import { running, type Answer, type Running, type Who, statusAndCode } from '../running.ts';

const END = '2027-06-01T00:00:00Z';
const BEFORE = Date.parse(END) - 1000;
const AFTER = Date.parse(END);

let deployment: Related;
let server: Running;
let now = BEFORE;

beforeAll(async () => {
  deployment = await related({
    change: (repo, ann, bob) => {
      grant(repo, grantOf('cto2', 'cto'), ann);
      grant(repo, grantOf('cto2', 'ct', { expires: END }), ann, bob);
    },
  });
  server = await running({ ...deployment, now: () => now });
});

const bytesOf = ({ status, headers, text }: Answer) => ({ status, headers, text });
const DENIED = [403, 'instruction_scope_denied'];
const get = (who: Who, id: string, route = 'boot-stub') => server.ask(who, 'GET', `/v1/agents/${id}/${route}`);

describe('§21.4.4 an agent with a grant for another garden', () => {
  test.each(['cto2', CTO2_ID])(
    'an agent with a grant can read stub, manifest and facts of the other agent, and recall, by the id %s',
    async (id) => {
      for (const route of ['boot-stub', 'instruction-manifest']) {
        expect((await get('cto', id, route)).text).toBe((await get('cto2', id, route)).text);
      }
      expect((await server.recall('ctoById', id, { intent: 'spend money' })).text).toContain('Secret of cto2.');
      const uri = encodeURIComponent('instruction:acme/agent/cto2/budget/v1');
      expect((await server.ask('cto', 'GET', `/v1/facts/${uri}`)).status).toBe(200);
    },
  );

  test('an agent with a grant cannot read the audit, send a heartbeat or publish for the other agent', async () => {
    expect(statusAndCode(await get('cto', 'cto2', 'audit'))).toEqual(DENIED);
    const json = { version: 'v2', entries: [] };
    expect(statusAndCode(await server.ask('cto', 'PUT', '/v1/agents/cto2/instruction-manifest', { json }))).toEqual(
      DENIED,
    );
    const headers = { authorization: `Bearer ${await deployment.plane.sign('cto', { now })}` };
    expect(statusAndCode(await server.ask(null, 'POST', '/v1/agents/cto2/heartbeat', { headers }))).toEqual(DENIED);
  });

  test('a grant is neither mutual nor valid for other gardens', async () => {
    expect(statusAndCode(await get('cto2', 'cto'))).toEqual(DENIED);
    expect(statusAndCode(await get('cto', 'ct'))).toEqual(DENIED);
  });

  test('an expired grant gives the same denial as for an unknown agent, from the next request on', async () => {
    now = BEFORE;
    expect((await get('ct', 'cto2')).status).toBe(200);
    now = AFTER;
    expect(statusAndCode(await get('ct', 'cto2'))).toEqual(DENIED);
    expect(bytesOf(await get('ct', 'cto2'))).toEqual(bytesOf(await get('ct', 'nobody')));
    expect((await get('cto', 'cto2')).status).toBe(200);
    now = BEFORE;
    expect((await get('ct', 'cto2')).status).toBe(200);
  });
});

describe('DESIGN §7 a grant is a signed approval, verified by the server', () => {
  const opened = async (trust: TestTrust, approvals: readonly [Approval, ...Signer[]][]) => {
    const repo = peers();
    for (const [approval, ...signers] of approvals) {
      grant(repo, approval, ...signers.map((signer) => ({ entity: '', signer })));
    }
    repo.commit('grant');
    return compileRepository(repo.path, { trust });
  };
  const [ann, bob, eve] = [person('ann'), person('bob'), person('eve')];
  const carried = async (over: Partial<TrustRoot>, ...given: readonly [Approval, ...Signer[]][]) => {
    const { bundle, faults } = await opened(staff([ann, bob], over), given);
    const entry = bundle?.statement.predicate.gardens.find((it) => it.garden === 'cto2');
    const predicate = bundle?.built.find((it) => it.name === 'cto2')?.statement.predicate;
    return { entry, approvals: predicate?.approvals, rules: faults.map((it) => it.rule) };
  };
  const two = { thresholds: { approval: 2, withdrawal: 1, rollback: 1 } };

  test('a grant is in the garden’s statement, and the root names the reader', async () => {
    const { entry, approvals, rules } = await carried({}, [
      grantOf('cto2', 'cto', { note: 'for the audit' }),
      ann.signer,
    ]);
    expect(entry?.readers).toEqual(['cto']);
    expect(approvals).toMatchObject([
      { kind: 'grant', unit: null, reader: 'cto', by: [ann.entity], note: 'for the audit' },
    ]);
    expect(rules).not.toContain('approval_lapsed');
    expect((await carried({})).entry).not.toHaveProperty('readers');
  });

  test('a grant needs the number of administrators that the trust root requires, in one file or several', async () => {
    const it = grantOf('cto2', 'cto');
    expect((await carried(two, [it, ann.signer])).entry?.readers).toBeUndefined();
    expect((await carried(two, [it, ann.signer, bob.signer])).entry?.readers).toEqual(['cto']);
    expect((await carried(two, [it, ann.signer], [it, bob.signer])).entry?.readers).toEqual(['cto']);
  });

  test.each<[string, Approval, Partial<TrustRoot>?]>([
    ['has expired', grantOf('cto2', 'cto', { expires: '2020-01-01T00:00:00Z' })],
    ['was given for another agent_id', grantOf('cto2', 'cto', { digest: grantOf('ct', 'cto').digest })],
    ['too few administrators signed', grantOf('cto2', 'cto'), two],
  ])('a grant that %s is not valid, and is reported', async (_, approval, over = {}) => {
    const { entry, approvals, rules } = await carried(over, [approval, ann.signer]);
    expect([entry?.readers, approvals, rules]).toEqual([undefined, [], expect.arrayContaining(['approval_lapsed'])]);
  });

  test('a grant signed by an unknown key is not valid', async () => {
    const { entry, rules } = await carried({}, [grantOf('cto2', 'cto'), eve.signer]);
    expect([entry?.readers, rules]).toEqual([undefined, expect.arrayContaining(['approval_invalid'])]);
  });

  test('a grant for an unknown agent is reported', async () => {
    expect((await carried({}, [grantOf('cto2', 'gone'), ann.signer])).rules).toContain('approval_lapsed');
  });

  test('a reader named by the bundle’s signer without an approval is denied', async () => {
    const trust = staff([ann]);
    const { bundle } = await opened(trust, []);
    if (!bundle) throw new Error('the peers do not compile');
    const { predicate } = bundle.statement;
    const gardens = predicate.gardens.map((it) => (it.agent_id === null ? it : { ...it, readers: ['cto'] }));
    const files = new Map([...bundle.files].filter(([path]) => path !== 'root.dsse.json'));
    const out = tempFolder();
    writeBundle(out, attestRoot({ ...predicate, gardens }, bundle.built, files, [trust.signer]), null);
    const other = await running({ bundle: out, trust });
    const one = await other.ask('cto', 'GET', '/v1/agents/cto2/boot-stub');
    expect(statusAndCode(one)).toEqual(DENIED);
    expect(bytesOf(one)).toEqual(bytesOf(await other.ask('cto', 'GET', '/v1/agents/nobody/boot-stub')));
    expect((await other.ask('cto', 'GET', '/v1/agents/cto/boot-stub')).status).toBe(200);
  });
});
