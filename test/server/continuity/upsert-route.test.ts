import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { capsuleOf, STATE } from '../../continuity/capsules.ts';
import { compiledPeers, CTO_ID } from '../deployment.ts';
import { running, type Running } from '../running.ts';
import { serving, type Serving } from './serving.ts';

const NOW = Date.parse('2026-11-23T12:00:00Z');

const upsertOf = (id: string, more: object = {}, capsule: object = {}) => ({
  subject_kind: 'thread',
  subject_id: id,
  capsule: { ...capsuleOf(), subject_id: id, ...capsule },
  ...more,
});

let server: Serving;

beforeAll(async () => {
  server = await serving(undefined, { now: () => NOW });
});

describe('POST /v1/continuity/upsert', () => {
  test('a new capsule is 201, the same again is 200, with the commit that has it', async () => {
    const first = await server.post('cto', 'upsert', upsertOf('new'));
    expect([first.status, first.json()['created']]).toEqual([201, true]);
    expect(first.json()['latest_commit']).toMatch(/^[0-9a-f]{40}$/);
    const again = await server.post('cto', 'upsert', upsertOf('new'));
    expect([again.status, again.json()['updated']]).toEqual([200, false]);
    expect(again.json()['latest_commit']).toBe(first.json()['latest_commit']);
  });

  test.each([
    ['an older capsule', { updated_at: '2026-11-22T12:00:00Z' }, 409, 'capsule_stale'],
    ['a capsule of 2099', { updated_at: '2099-01-01T00:00:00Z' }, 400, 'capsule_invalid'],
    ['an incomplete capsule', { confidence: null }, 400, 'capsule_invalid'],
    ['a field that does not exist', { colour: 'red' }, 400, 'request_invalid'],
  ])('%s is refused with its code', async (_, capsule, status, code) => {
    await server.post('cto', 'upsert', upsertOf('refused'));
    const answer = await server.post('cto', 'upsert', upsertOf('refused', {}, capsule));
    expect([answer.status, answer.code]).toEqual([status, code]);
  });

  test('an agent has a store of its own, named by its id; an administrator has another', async () => {
    for (const who of ['cto', 'ctoById', 'admin'] as const) await server.post(who, 'upsert', upsertOf(who));
    const stores = readdirSync(server.folder).filter((name) => name.endsWith('.git'));
    expect(stores.sort()).toEqual([`${CTO_ID}.git`, 'default.git'].sort());
  });

  test.each([
    [null, 401, 'unauthenticated'],
    ['scraper', 403, 'instruction_scope_denied'],
    ['ghost', 404, 'agent_not_found'],
  ] as const)('%s gets no store', async (who, status, code) => {
    const answer = await server.post(who, 'upsert', upsertOf('x'));
    expect([answer.status, answer.code]).toEqual([status, code]);
  });

  test('a store that cannot be opened answers that it is unavailable, and writes nothing', async () => {
    const broken = await serving(undefined, { now: () => NOW });
    writeFileSync(join(broken.folder, `${CTO_ID}.git`), 'no repository');
    const answer = await broken.post('cto', 'upsert', upsertOf('x'));
    expect([answer.status, answer.code]).toEqual([503, 'continuity_unavailable']);
    expect(readFileSync(join(broken.folder, `${CTO_ID}.git`), 'utf8')).toBe('no repository');
  });

  test('eight writers on one subject: exactly one of conflicting writes wins', async () => {
    const writes = Array.from({ length: 8 }, (_, i) =>
      server.post('cto', 'upsert', upsertOf('one', {}, { continuity: { ...STATE, open_loops: [`loop ${i}`] } })),
    );
    const statuses = (await Promise.all(writes)).map((it) => it.status);
    expect(statuses.filter((it) => it === 201)).toHaveLength(1);
    expect(statuses.filter((it) => it === 409)).toHaveLength(7);
  });
});

describe('a server without --continuity', () => {
  let plain: Running;

  beforeAll(async () => {
    plain = await running(await compiledPeers());
  });

  test('says that it keeps no capsules, and writes none', async () => {
    const answer = await plain.ask('cto', 'POST', '/v1/continuity/upsert', { json: upsertOf('x') });
    expect([answer.status, answer.code]).toEqual([404, 'continuity_disabled']);
    expect(existsSync(join(plain.audit, '..', 'capsules'))).toBe(false);
  });
});
