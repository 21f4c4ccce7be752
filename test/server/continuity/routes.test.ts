import { beforeAll, describe, expect, test } from 'vitest';
import { ago, capsuleOf, NOW, STATE, type Json } from '../../continuity/capsules.ts';
import type { Answer } from '../running.ts';
import { serving, type Serving } from './serving.ts';

const DAY = 24 * 60 * 60 * 1000;
const SIGNALS = [{ kind: 'user_confirmation', source_ref: 'chat', observed_at: ago(30), summary: 'as agreed' }];
const subjectOf = (subject_id: string) => ({ subject_kind: 'thread', subject_id });

let server: Serving;
let now = NOW;

beforeAll(async () => {
  server = await serving(undefined, { now: () => now });
});

const post = (route: string, json: Json): Promise<Answer> => server.post('cto', route, json);

function upsert(id: string, more: Json = {}): Promise<Answer> {
  const capsule = capsuleOf({ subject_id: id, thread_descriptor: { label: id }, ...more });
  return post('upsert', { ...subjectOf(id), capsule });
}

const append = (value: string) => [{ target: 'continuity.open_loops', action: 'append', value }];

/** A request of each route about one subject, that its capsule allows. */
const REQUESTS: Readonly<Record<string, Json>> = {
  read: { view: 'startup' },
  compare: { candidate_capsule: capsuleOf(), signals: SIGNALS },
  revalidate: { outcome: 'confirm', signals: SIGNALS },
  patch: { updated_at: ago(30), operations: append('who tells support?') },
  lifecycle: { updated_at: ago(20), transition: 'suspend' },
  archive: { reason: 'released' },
};

/** The candidate is of the subject of its request. */
const requestOf = (route: string, id: string): Json => ({
  ...subjectOf(id),
  ...REQUESTS[route],
  ...(route === 'compare' && { candidate_capsule: capsuleOf({ subject_id: id }) }),
});

describe('the routes of /v1/continuity', () => {
  test.each(Object.keys(REQUESTS))('%s: 404 without a capsule, 200 with one', async (route) => {
    const missing = await post(route, requestOf(route, `${route}-missing`));
    expect([missing.status, missing.code]).toEqual([404, 'capsule_not_found']);
    await upsert(route);
    const answer = await post(route, requestOf(route, route));
    expect([answer.status, answer.json()['ok'], answer.json()['path']]).toEqual([
      200,
      true,
      `memory/continuity/thread-${route}.json`,
    ]);
  });

  test.each([
    ['patch', { updated_at: ago(60), operations: append('late') }, 'capsule_stale'],
    [
      'patch',
      { updated_at: ago(0), operations: [{ ...append('x')[0], action: 'remove', match: 'none', value: null }] },
      'capsule_conflict',
    ],
    ['lifecycle', { updated_at: ago(60), transition: 'suspend' }, 'capsule_stale'],
    ['lifecycle', { updated_at: ago(0), transition: 'resume' }, 'capsule_conflict'],
    ['revalidate', correction(), 'capsule_stale'],
  ] as const)('%s that does not fit what is stored is 409 (%j, %s)', async (route, request, code) => {
    await upsert('fits');
    const answer = await post(route, { ...subjectOf('fits'), ...request });
    expect([answer.status, answer.code]).toEqual([409, code]);
  });

  test('a capsule that another pushed to a longer name is found there when the other is gone', async () => {
    const [first, second] = ['Near Name', 'near name'];
    const paths = [await upsert(first), await upsert(second)].map((it) => it.json()['path']);
    expect(paths[1]).toMatch(/^memory\/continuity\/thread-near-name-[0-9a-f]{8}\.json$/);
    const gone = { ...subjectOf(first), delete_active: true, delete_fallback: true, reason: 'not needed' };
    expect((await post('delete', gone)).status).toBe(200);
    expect((await post('read', subjectOf(second))).json()).toMatchObject({ path: paths[1], source_state: 'active' });
    // the short name is free again, for whoever comes next
    expect((await upsert(first)).json()).toMatchObject({ path: paths[0], created: true });
  });

  test('an archive is taken out of use, is stale after the days of the setting, and goes with a delete', async () => {
    await upsert('done');
    const { archive_path } = (await post('archive', { ...subjectOf('done'), reason: 'released' })).json();
    expect((await post('read', subjectOf('done'))).code).toBe('capsule_not_found');
    const retentions: unknown[] = [];
    for (const at of [NOW + 90 * DAY, NOW + 90 * DAY + 1000]) {
      now = at;
      const { capsules } = (await post('list', { include_archived: true })).json() as { capsules: Json[] };
      retentions.push(capsules.find((it) => it['path'] === archive_path)?.['retention_class']);
    }
    now = NOW;
    expect(retentions).toEqual(['archive_recent', 'archive_stale']);
    const deleted = await post('delete', { ...subjectOf('done'), delete_archive: true, reason: 'not needed' });
    expect(deleted.json()).toMatchObject({ deleted_paths: [archive_path], missing_paths: [] });
  });

  test('a read beside writes of the same agent is answered, and with what was acknowledged', async () => {
    const loopsOf = (answer: Answer) =>
      (answer.json() as { capsule: { continuity: typeof STATE } }).capsule.continuity.open_loops.length;
    await upsert('busy');
    for (let round = 1; round <= 5; round++) {
      const patched = { ...subjectOf('busy'), updated_at: ago(60 - round), operations: append(`loop ${round}`) };
      const reads = Array.from({ length: 8 }, () => post('read', subjectOf('busy')));
      const [written, ...read] = await Promise.all([post('patch', patched), ...reads]);
      expect([written.status, ...read.map((it) => it.status)]).toEqual(Array.from({ length: 9 }, () => 200));
      expect(loopsOf(await post('read', subjectOf('busy')))).toBe(1 + round);
    }
  });
});

/** A correction that differs and is no newer. */
function correction(): Json {
  const candidate_capsule = capsuleOf({ subject_id: 'fits' }, { ...STATE, open_loops: ['another'] });
  return { outcome: 'correct', signals: SIGNALS, candidate_capsule };
}
