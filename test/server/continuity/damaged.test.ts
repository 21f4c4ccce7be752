import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { capsuleOf, NOW } from '../../continuity/capsules.ts';
import { damagePages } from '../damage.ts';
import { CTO_ID } from '../deployment.ts';
import { coordinating, SUBJECT } from './coordination/coordinating.ts';
import { serving, type Serving } from './serving.ts';

const about = (subject_id: string) => ({ subject_kind: 'thread', subject_id });
const upsertOf = (id: string) => ({ ...about(id), capsule: capsuleOf(about(id)) });

/** A server that has stored some capsules. */
async function stored(count = 12): Promise<Serving> {
  const server = await serving(undefined, { now: () => NOW });
  for (let i = 0; i < count; i++) expect((await server.post('cto', 'upsert', upsertOf(`c${i}`))).status).toBe(201);
  return server;
}

/** Overwrites the pages of a database while the server runs. */
function damage(server: Serving, name: string): void {
  const path = join(server.folder, name);
  const db = new Database(path);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  damagePages(path);
}

const told = async (answer: ReturnType<Serving['post']>) => {
  const { status, code, json } = await answer;
  return [status, code, (json()['error'] as { retryable?: boolean } | undefined)?.retryable];
};

describe('an index of capsules that is damaged is made again from git', () => {
  test('while the server runs, whatever meets the damage first', async () => {
    const server = await stored();
    damage(server, `${CTO_ID}.db`);
    expect((await server.post('cto', 'list', {})).json()['count']).toBe(12);
    damage(server, `${CTO_ID}.db`);
    expect((await server.post('cto', 'read', about('c3'))).status).toBe(200);
    damage(server, `${CTO_ID}.db`);
    expect((await server.post('cto', 'upsert', upsertOf('new'))).status).toBe(201);
    expect((await server.post('cto', 'read', about('new'))).status).toBe(200);
    expect(server.log).toContainEqual(
      expect.objectContaining({ reason: expect.stringContaining('malformed') as string }),
    );
  });
});

describe('what git cannot make again is refused, and no retry is advised', () => {
  test('a damaged history; what was copied of it is still read', async () => {
    const server = await stored();
    await server.close();
    const packs = join(server.folder, `${CTO_ID}.git/objects/pack`);
    for (const name of readdirSync(packs).filter((it) => it.endsWith('.pack'))) {
      const bytes = readFileSync(join(packs, name)).fill(0x5a, 20);
      chmodSync(join(packs, name), 0o600);
      writeFileSync(join(packs, name), bytes);
    }
    const again = await serving(server.folder, { now: () => NOW });
    expect((await again.post('cto', 'read', about('c3'))).status).toBe(200);
    const answer = again.post('cto', 'upsert', upsertOf('new'));
    expect(await told(answer)).toEqual([503, 'continuity_unusable', false]);
    expect((await answer).text).not.toContain(server.folder);
    expect(again.log).toContainEqual(
      expect.objectContaining({ reason: expect.stringContaining('the history of') as string }),
    );
  });

  test.each(['pages', 'bytes'])('a schedule whose %s are damaged', async (part) => {
    const server = await serving(undefined, { now: () => NOW });
    const path = '/v1/schedule/items';
    const list = () => server.ask('cto', 'GET', `${path}?limit=5`);
    expect((await list()).status).toBe(200);
    await server.close();
    const file = join(server.folder, `${CTO_ID}.schedule.db`);
    if (part === 'pages') damagePages(file);
    else writeFileSync(file, 'no database '.repeat(500));
    const again = await serving(server.folder, { now: () => NOW });
    const answer = again.ask('cto', 'GET', `${path}?limit=5`);
    expect(await told(answer)).toEqual([503, 'continuity_unusable', false]);
    expect((await answer).text).not.toContain('.db');
  });

  test('artefacts, until an operator has put a backup in their place, which needs no start', async () => {
    const server = await coordinating(undefined, { now: () => NOW });
    await server.handOver();
    const path = join(server.folder, 'coordination.db');
    const db = new Database(path);
    await db.backup(`${path}.copy`);
    db.close();
    damage(server, 'coordination.db');
    const handOver = () => server.coordinate('cto', 'handoff/create', { ...SUBJECT, recipient_peer: 'cto2' });
    expect(await told(handOver())).toEqual([503, 'continuity_unusable', false]);
    expect(await told(server.coordinate('cto', 'handoffs/query'))).toEqual([503, 'continuity_unusable', false]);
    for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
    renameSync(`${path}.copy`, path);
    expect((await handOver()).status).toBe(201);
    expect((await server.coordinate('cto', 'handoffs/query')).json()['handoffs']).toHaveLength(2);
  });

  test('a store of another format is refused in words for its caller; the log has those for its operator', async () => {
    const server = await stored(1);
    await server.close();
    const db = new Database(join(server.folder, `${CTO_ID}.db`));
    db.pragma('user_version = 7');
    db.close();
    const again = await serving(server.folder, { now: () => NOW });
    const answer = again.post('cto', 'read', about('c0'));
    expect(await told(answer)).toEqual([503, 'continuity_unusable', false]);
    expect((await answer).text).not.toMatch(/\.db|delete it/);
    const reason = expect.stringContaining('of format 7') as string;
    expect(again.log.filter((it) => it['msg'] === 'a store of capsules failed')).toEqual([
      expect.objectContaining({ reason }),
    ]);
  });
});
