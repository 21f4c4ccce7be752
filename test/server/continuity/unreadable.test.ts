import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyStore } from '../../../server/continuity/operator/verify-store.ts';
import { ago, capsuleOf, NOW, without } from '../../continuity/capsules.ts';
import { CTO_ID } from '../deployment.ts';
import { commitTo } from './foreign-commit.ts';
import { serving, type Serving } from './serving.ts';

const subjectOf = (subject_id: string, subject_kind = 'thread') => ({ subject_kind, subject_id });
const HALF = '{"half":';

let server: Serving;

beforeAll(async () => {
  server = await serving(undefined, { now: () => NOW });
  for (const id of ['only', 'well', 'old'])
    await server.post('cto', 'upsert', { ...subjectOf(id), capsule: capsuleOf({ subject_id: id }) });
  await server.post('cto', 'upsert', {
    ...subjectOf('swap', 'user'),
    capsule: capsuleOf({ ...subjectOf('swap', 'user') }),
  });
  commitTo(server.folder, CTO_ID, {
    'memory/continuity/thread-only.json': HALF,
    'memory/continuity/thread-old.json': JSON.stringify(without(capsuleOf({ subject_id: 'old' }), 'verified_at')),
    'memory/continuity/task-lone.json': HALF,
    'memory/continuity/user-swap.json': JSON.stringify(capsuleOf(subjectOf('someone-else', 'user'))),
  });
});

const read = async (id: string, more: object = {}, kind = 'thread') => {
  const answer = await server.post('cto', 'read', { ...subjectOf(id, kind), ...more });
  return [answer.status, answer.code ?? answer.json()['source_state']];
};

describe('what is there and cannot be read', () => {
  const all = [
    { path: 'memory/continuity/task-lone.json', subject_kind: 'task', subject_id: null },
    { path: 'memory/continuity/thread-old.json', subject_kind: 'thread', subject_id: 'old' },
    { path: 'memory/continuity/thread-only.json', subject_kind: 'thread', subject_id: 'only' },
    { path: 'memory/continuity/user-swap.json', subject_kind: 'user', subject_id: 'swap' },
  ].map((it) => ({ ...it, artifact_state: 'active' }));

  test('is named by a list, beside what can be', async () => {
    const { capsules, count, unreadable } = (await server.post('cto', 'list', {})).json();
    expect([count, (capsules as { subject_id: string }[]).map((it) => it.subject_id)]).toEqual([1, ['well']]);
    expect(unreadable).toEqual(all);
    const users = (await server.post('cto', 'list', { subject_kind: 'user' })).json();
    expect(users['unreadable']).toEqual(all.slice(3));
  });

  test('is read from its fallback where that is asked for, and the refusal says so where not', async () => {
    const answer = await server.post('cto', 'read', subjectOf('only'));
    expect([answer.code, answer.text]).toEqual(['capsule_damaged', expect.stringContaining('allow_fallback')]);
    expect(await read('only', { allow_fallback: true })).toEqual([200, 'fallback']);
  });

  test('is told by whoever writes over it', async () => {
    const capsule = capsuleOf({ subject_id: 'old', updated_at: ago(1) });
    const { recovery_warnings } = (await server.post('cto', 'upsert', { ...subjectOf('old'), capsule })).json();
    expect(recovery_warnings).toEqual(['continuity_active_invalid']);
    expect(await read('old')).toEqual([200, 'active']);
  });
});

describe('a file whose content is of another subject than its name', () => {
  const answers = async () => [
    await read('swap', {}, 'user'),
    await read('swap', { allow_fallback: true }, 'user'),
    await read('someone-else', {}, 'user'),
    (await server.post('cto', 'list', {})).json()['unreadable'],
  ];

  test('is served under neither, and the copy and the one made again from git agree', async () => {
    const before = await answers();
    expect(before.slice(0, 3)).toEqual([
      [409, 'capsule_damaged'],
      [200, 'fallback'],
      [404, 'capsule_not_found'],
    ]);
    await server.close();
    for (const end of ['', '-wal', '-shm']) rmSync(join(server.folder, `${CTO_ID}.db${end}`), { force: true });
    server = await serving(server.folder, { now: () => NOW });
    expect(await answers()).toEqual(before);
  });

  test('is named by verify', async () => {
    const { problems } = await verifyStore(server.folder);
    expect(problems).toContainEqual({
      where: `${CTO_ID}.git: memory/continuity/user-swap.json`,
      what: expect.stringContaining('another subject') as string,
    });
  });
});
