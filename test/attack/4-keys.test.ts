import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { KeyHolder } from '../../compiler/schema/source/key-file.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { newKey } from '../../compiler/trust/keys.ts';
import { OPERATIONS } from '../../server/http/operations.ts';
import { rows } from '../server/audit-file.ts';
import { CTO_ID, CTO2_ID, peers } from '../server/deployment.ts';
import { running, statusAndCode, type Answer, type Running, type RunOptions } from '../server/running.ts';
import { announce, revisionOf, together } from '../server/successive.ts';
import { compileToFolder, testTrust, type TestTrust } from '../support/compiled.ts';
import { controlPlane } from '../support/control-plane.ts';
import { agentYaml, unitFile, type Repository } from '../support/repository.ts';
import { nextRoot, person, staff } from '../support/staff.ts';

const [ann, bob, eve] = [person('ann'), person('bob'), person('eve')];
const UNAUTHENTICATED = [401, 'unauthenticated'];
const DENIED = [403, 'instruction_scope_denied'];
const OTHER_ID = '5c1d2a43-7b0e-4f6a-8f1d-2a9e4c7b6d04';

const admin = (entity: string): KeyHolder => ({ kind: 'admin', entity });

/** Bundles of one repository, each after a change and one commit. */
async function series(trust: TestTrust, repo: Repository, ...changes: ((repo: Repository) => unknown)[]) {
  const folders: string[] = [];
  for (const change of [() => undefined, ...changes]) {
    change(repo);
    repo.commit();
    const previous = folders.at(-1);
    folders.push((await compileToFolder(repo.path, { trust, ...(previous !== undefined && { previous }) })).out);
  }
  const revisions = folders.map(revisionOf);
  return { folders, revisions, trust };
}

/** A change that brings the next trust root. */
function rooted(trust: TestTrust, ...changes: readonly Partial<TrustRoot>[]) {
  let root = trust.root;
  return changes.map((change) => {
    root = nextRoot(root, change, [trust.signer]);
    const { version, envelope } = { version: root.root.version, envelope: root.envelope };
    return (repo: Repository) => repo.write(`instructions/trust/${version}.json`, envelope);
  });
}

async function swap(server: Running, revision: string | undefined) {
  announce(server.bundle, revision ?? '');
  await expect
    .poll(async () => (await server.ask(null, 'GET', '/healthz')).headers['x-bundle-revision'], { timeout: 30_000 })
    .toBe(revision);
}

const STUB = '/v1/agents/cto/boot-stub';
type Made = Awaited<ReturnType<typeof series>>;
type Canaries = { agent: string; root: string }[];
/** Serves the first of them; the others lie beside it. */
const started = (made: Made, canaries: Canaries = [], moreKeys: RunOptions['moreKeys'] = []) =>
  running({ bundle: together(made), trust: made.trust, follow: { pollMs: 20, canaries }, moreKeys });

/** The same, and what each of these asks it with a key of its own. */
async function startedFor(made: Made, holders: readonly KeyHolder[], canaries: Canaries = []) {
  const keys = holders.map((it) => newKey(it, 'later', '2026-01-01T00:00:00Z', randomBytes(40)));
  const server = await started(
    made,
    canaries,
    keys.map((it) => it.record),
  );
  const asks = keys.map(({ key }) => (method: string, path: string, json?: unknown) => {
    const headers = { authorization: `Bearer ${key}` };
    return server.ask(null, method, path, { headers, ...(json !== undefined && { json }) });
  });
  return [server, ...asks] as const;
}

describe('an administrator’s opaque key under the trust root in force', () => {
  let made: Made;

  beforeAll(async () => {
    const trust = staff([ann, bob]);
    const without = { admins: [bob.entity] };
    made = await series(trust, peers(), ...rooted(trust, without, { admins: [ann.entity, bob.entity] }));
  });

  test('a running server refuses an administrator’s key once a new root omits the administrator', async () => {
    const server = await started(made);
    const paths = [STUB, '/v1/agents/cto/audit', '/v1/agents/cto2/metrics', '/v1/report', '/metrics'];
    for (const path of paths) expect([path, (await server.ask('admin', 'GET', path)).status]).toEqual([path, 200]);
    await swap(server, made.revisions[1]);
    for (const path of paths) {
      expect([path, ...statusAndCode(await server.ask('admin', 'GET', path))]).toEqual([path, ...UNAUTHENTICATED]);
    }
    expect(statusAndCode(await server.recall('admin', 'cto', { intent: 'hand over' }))).toEqual(UNAUTHENTICATED);
    const put = await server.ask('admin', 'PUT', '/v1/agents/cto/instruction-manifest', { json: {} });
    expect(statusAndCode(put)).toEqual(UNAUTHENTICATED);
    expect((await server.ask('cto', 'GET', STUB)).status).toBe(200);
    expect(await rows(server.audit, 'recalls')).toEqual([]);
  });

  test('a running server accepts an administrator’s key again once a later root names the administrator', async () => {
    const server = await started(made);
    await swap(server, made.revisions[1]);
    expect(statusAndCode(await server.ask('admin', 'GET', STUB))).toEqual(UNAUTHENTICATED);
    await swap(server, made.revisions[2]);
    expect((await server.ask('admin', 'GET', STUB)).status).toBe(200);
  });

  test.each([
    ['a name that no root had', 'acme/human/nobody'],
    ['the same name in another deployment', 'evil/human/ann'],
    ['the same name of another kind', 'acme/system/ann'],
    ['a similar name', 'acme/human/an.n'],
  ])('an administrator’s key for %s is unauthenticated', async (_, entity) => {
    const [, ask] = await startedFor(made, [admin(entity)]);
    for (const path of [STUB, '/v1/agents/cto/audit', '/metrics', '/v1/report']) {
      expect([path, ...statusAndCode((await ask?.('GET', path)) as Answer)]).toEqual([path, ...UNAUTHENTICATED]);
    }
  });

  test('an administrator in a canary’s own root is unauthenticated until that root is in force', async () => {
    const trust = staff([ann]);
    const both = await series(trust, peers(), ...rooted(trust, { admins: [ann.entity, eve.entity] }));
    const { revisions } = both;
    const canaries = [{ agent: 'cto', root: revisions[1] ?? '' }];
    const [server, ask] = await startedFor(both, [admin(eve.entity)], canaries);
    expect(statusAndCode((await ask?.('GET', STUB)) as Answer)).toEqual(UNAUTHENTICATED);
    expect((await server.ask('cto', 'GET', STUB)).headers['x-bundle-revision']).toBe(revisions[1]);
    expect((await server.ask('admin', 'GET', STUB)).status).toBe(200);
  });

  test('an administrator whom a canary’s own root omits may not read the canary’s agent', async () => {
    const server = await started(made, [{ agent: 'cto', root: made.revisions[1] ?? '' }]);
    expect(statusAndCode(await server.ask('admin', 'GET', STUB))).toEqual(DENIED);
    expect((await server.ask('admin', 'GET', '/v1/agents/cto2/boot-stub')).status).toBe(200);
  });

  test('a running server refuses an administrator’s token once a new root omits the administrator', async () => {
    const plane = await controlPlane();
    const trust = staff([ann, bob], { control_plane: plane.named });
    const both = await series(trust, peers(), ...rooted(trust, { admins: [bob.entity] }));
    const server = await started(both);
    const headers = { authorization: `Bearer ${await plane.sign(ann.entity)}` };
    expect((await server.ask(null, 'GET', STUB, { headers })).status).toBe(200);
    await swap(server, both.revisions[1]);
    expect(statusAndCode(await server.ask(null, 'GET', STUB, { headers }))).toEqual(UNAUTHENTICATED);
  });

  test('DESIGN §8 under a development root, which names nobody, any key of an administrator is accepted', async () => {
    const own = await series(testTrust({ development: true }), peers());
    const [, ask] = await startedFor(own, [admin('acme/human/demo')]);
    expect(((await ask?.('GET', STUB)) as Answer).status).toBe(200);
  });
});

describe('the opaque key of an agent that is removed', () => {
  const gone = (repo: Repository) => repo.remove('instructions/agents/cto2');
  const back = (id: string) => (repo: Repository) =>
    repo
      .write('instructions/agents/cto2/agent.yaml', agentYaml(id))
      .write('instructions/agents/cto2/budget.md', unitFile('What may be spent', ['spend money'], '', 'Anew.'));
  const bound: KeyHolder = { kind: 'agent', agent: 'cto2', agent_id: CTO2_ID };
  const shared = `/v1/facts/${encodeURIComponent('instruction:acme/heartbeat/v1')}`;

  test('the key of a removed agent reads nothing, not even shared units', async () => {
    const made = await series(testTrust(), peers(), gone);
    const [server, ask] = await startedFor(made, [bound]);
    expect(((await ask?.('GET', '/v1/agents/cto2/boot-stub')) as Answer).status).toBe(200);
    expect(((await ask?.('GET', shared)) as Answer).status).toBe(200);
    await swap(server, made.revisions[1]);
    for (const path of ['/v1/agents/cto2/boot-stub', '/v1/agents/cto/boot-stub', shared]) {
      expect([path, ...statusAndCode((await ask?.('GET', path)) as Answer)]).toEqual([path, ...DENIED]);
    }
    // a key from before, which knows the short name alone, fares no better
    expect(statusAndCode(await server.ask('cto2', 'GET', shared))).toEqual(DENIED);
  });

  test('the key of a removed agent reads nothing of a new agent with the same short name', async () => {
    const made = await series(testTrust(), peers(), gone, back(OTHER_ID));
    const [server, former, present] = await startedFor(made, [bound, { ...bound, agent_id: OTHER_ID }]);
    await swap(server, made.revisions[2]);
    for (const id of ['cto2', OTHER_ID]) {
      expect([id, ...statusAndCode((await former?.('GET', `/v1/agents/${id}/boot-stub`)) as Answer)]).toEqual([
        id,
        ...DENIED,
      ]);
    }
    const asked = await present?.('POST', '/v1/agents/cto2/recall-instruction', { intent: 'spend money' });
    expect([asked?.status, asked?.text.includes('Anew.')]).toEqual([200, true]);
    expect((await rows(server.audit, 'recalls')).map((it) => it['asked_by'])).toEqual(['acme/agent/cto2']);
  });

  test('the key of a removed agent is valid again once the same agent comes back', async () => {
    const made = await series(testTrust(), peers(), gone, back(CTO2_ID));
    const [server, ask] = await startedFor(made, [bound]);
    await swap(server, made.revisions[1]);
    expect(statusAndCode((await ask?.('GET', '/v1/agents/cto2/boot-stub')) as Answer)).toEqual(DENIED);
    await swap(server, made.revisions[2]);
    expect(((await ask?.('GET', '/v1/agents/cto2/boot-stub')) as Answer).status).toBe(200);
  });
});

describe('the key of a metrics reader', () => {
  test('a metrics reader’s key opens /metrics and /readyz, and no operation of agents or administrators', async () => {
    const server = await started(await series(staff([]), peers()));
    for (const path of ['/metrics', '/readyz']) {
      expect([path, (await server.ask('scraper', 'GET', path)).status]).toEqual([path, 200]);
    }
    const operations = Object.values(OPERATIONS).filter(({ access }) => access === 'agents' || access === 'admins');
    expect(operations.length).toBeGreaterThan(10);
    for (const { method, path } of operations) {
      const at = path
        .replace('{agent_id}', CTO_ID)
        .replace('{fact_uri}', encodeURIComponent('instruction:acme/heartbeat/v1'));
      const answer = await server.ask('scraper', method.toUpperCase(), at, method === 'get' ? {} : { json: {} });
      expect([path, ...statusAndCode(answer)]).toEqual([path, ...DENIED]);
    }
    expect(statusAndCode(await server.ask('cto', 'GET', '/metrics'))).toEqual(DENIED);
    expect(await rows(server.audit, 'recalls')).toEqual([]);
  });
});
