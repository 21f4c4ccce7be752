import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { capsuleOf, NOW, type Json } from '../../continuity/capsules.ts';
import { documentAt } from '../../continuity/graph/graphs.ts';
import { CTO_ID } from '../deployment.ts';
import type { Who } from '../running.ts';
import { serving, type Serving } from './serving.ts';

const STORE = { subject_kind: 'thread', subject_id: 'store' };
const REVIEW = { subject_kind: 'task', subject_id: 'review' };
const ANN = { subject_kind: 'user', subject_id: 'ann' };

let server: Serving;

beforeAll(async () => {
  server = await filled();
});

/** A server whose agent has three capsules, and the files of some tasks that another program committed. */
async function filled(): Promise<Serving> {
  const made = await serving(undefined, { now: () => NOW });
  const links = { related_documents: [documentAt('docs/a.md'), documentAt('tasks/open/review.json')] };
  const capsules = [
    capsuleOf({ ...STORE, thread_descriptor: { label: 'store' } }, links),
    capsuleOf(REVIEW),
    capsuleOf(ANN),
  ];
  for (const capsule of capsules) {
    const { subject_kind, subject_id } = capsule;
    expect((await made.post('cto', 'upsert', { subject_kind, subject_id, capsule })).status).toBe(201);
  }
  commit(made, {
    'tasks/open/review.json': JSON.stringify({ task_id: 'review', thread_id: 'store', blocked_by: ['deploy'] }),
    'tasks/done/model.json': JSON.stringify({
      task_id: 'model',
      thread_id: 'store',
      secret: 'only the links are read',
    }),
    'tasks/open/broken.json': '{',
  });
  return made;
}

/** Commits files to the repository of the agent, as another program does. */
function commit({ folder }: Serving, files: Readonly<Record<string, string>>): void {
  const git = (input: string, ...args: string[]) =>
    execFileSync('git', ['--git-dir', join(folder, `${CTO_ID}.git`), ...args], { input, encoding: 'utf8' }).trim();
  const branch = git('', 'symbolic-ref', 'HEAD');
  const files_ = Object.entries(files).map(
    ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  const head = `commit ${branch}\ncommitter other <o@example.org> 1 +0000\ndata 5\ntasks\nfrom ${branch}^0\n`;
  git(head + files_.join(''), 'fast-import', '--quiet');
}

const retrieve = (json: Json, who: Who = 'cto', at = server) =>
  at.ask(who, 'POST', '/v1/context/retrieve', { json: { task: 'go on', ...json } });
const bundleOf = async (json: Json, at = server) => (await retrieve(json, 'cto', at)).json()['bundle'] as Json;
const idsOf = (graph: unknown) => ((graph as Json)['nodes'] as { id: string }[]).map(({ id }) => id);
const codesOf = (graph: unknown) => ((graph as Json)['warnings'] as { code: string }[]).map(({ code }) => code);

describe('POST /v1/context/retrieve over HTTP', () => {
  test('answers the capsules of the selectors, by salience, with the keys of the specification', async () => {
    const answer = await retrieve({ continuity_selectors: [STORE, REVIEW, ANN], continuity_max_capsules: 4 });
    expect([answer.status, answer.json()['content_kind']]).toEqual([200, 'agent_authored']);
    const { continuity_state: state, ...rest } = answer.json()['bundle'] as Json;
    expect(Object.keys(rest)).toEqual([
      ...['task', 'generated_at', 'core_memory', 'recent_relevant', 'open_questions', 'token_budget_hint'],
      ...['time_window_days', 'notes', 'graph_context', 'schedule_context'],
    ]);
    const { capsules, recovery_warnings } = state as { capsules: Json[]; recovery_warnings: string[] };
    expect(capsules.map((it) => it['subject_id'])).toEqual(['store', 'review', 'ann']);
    expect(recovery_warnings).toEqual([]);
    // "internal-only in slice 1": the mixed retrieval has no part in the answer
    expect(answer.text).not.toMatch(/mixed|evidence/);
  });

  test('another agent finds none of them, and mode required says so with 404', async () => {
    const answer = await retrieve({ ...STORE }, 'cto2');
    expect(answer.json()['bundle']).toMatchObject({
      continuity_state: { present: false, capsules: [], trust_signals: null },
      graph_context: { anchor: null, warnings: [{ code: 'graph_anchor_not_found' }] },
    });
    const required = await retrieve({ ...STORE, continuity_mode: 'required' }, 'cto2');
    expect([required.status, required.code]).toEqual([404, 'capsule_not_found']);
    const nothing = await retrieve({ continuity_mode: 'required' });
    expect([nothing.status, nothing.code]).toEqual([400, 'capsule_invalid']);
  });

  test('the policies go through the route', async () => {
    const sick = { ...STORE, subject_id: 'sick' };
    await server.post('cto', 'upsert', { ...sick, capsule: capsuleOf(sick) });
    const signals = [
      { kind: 'system_check', source_ref: 'ci', observed_at: '2026-11-23T11:00:00Z', summary: 'the branch is gone' },
    ];
    await server.post('cto', 'revalidate', { ...sick, outcome: 'degrade', signals });
    const state = async (policy: string) =>
      (await bundleOf({ ...sick, continuity_verification_policy: policy }))['continuity_state'] as Json;
    expect(await state('allow_degraded')).toMatchObject({ present: true, warnings: ['continuity_degraded'] });
    expect(await state('require_healthy')).toMatchObject({
      present: false,
      warnings: ['continuity_unhealthy_omitted'],
    });
  });
});

describe('graph_context and graph_summary over HTTP', () => {
  test('tasks are read from tasks/{open,done}/*.json of the owner’s repository, as they are at its tip', async () => {
    const { graph_context: graph } = await bundleOf(STORE);
    expect(idsOf(graph)).toEqual([
      ...['document:docs/a.md', 'document:tasks/open/review.json', 'task:model', 'task:review'],
    ]);
    expect(codesOf(graph)).toEqual([]);
    expect(JSON.stringify(graph)).not.toContain('only the links');
    const task = (await bundleOf(REVIEW))['graph_context'];
    expect((task as Json)['blockers']).toMatchObject([{ task_id: 'review', blocked_by_task_id: 'deploy' }]);
  });

  test('the startup view has a graph_summary with its own caps; any other reading has none', async () => {
    const startup = (await server.post('cto', 'read', { ...STORE, view: 'startup' })).json();
    const plain = (await server.post('cto', 'read', STORE)).json();
    expect(startup['graph_summary']).toMatchObject({ truncation: { nodes: { limit: 12, returned: 4 } } });
    expect([plain['graph_summary'], plain['schedule_context']]).toEqual([undefined, undefined]);
    // "The capsule value is identical to the response without a view parameter."
    expect(JSON.stringify(startup['capsule'])).toBe(JSON.stringify(plain['capsule']));
    const missing = await server.post('cto', 'read', { ...STORE, subject_id: 'none', view: 'startup' });
    expect([missing.status, missing.code]).toEqual([404, 'capsule_not_found']);
  });

  test.each([
    ['no subject', {}, 'graph_anchor_not_provided'],
    ['a user', ANN, 'graph_anchor_not_supported'],
    ['a thread that nobody knows', { ...STORE, subject_id: 'none' }, 'graph_anchor_not_found'],
    ['mode off', { ...STORE, continuity_mode: 'off' }, 'graph_suppressed_by_continuity_mode'],
  ])('%s: a warning, and the answer is 200', async (_, request, code) => {
    const { graph_context: graph } = await bundleOf(request);
    expect([idsOf(graph), codesOf(graph)]).toEqual([[], [code]]);
  });

  test('a fresh repository warns of nothing, and one without tasks neither', async () => {
    const fresh = await serving(undefined, { now: () => NOW });
    await fresh.post('cto', 'upsert', { ...STORE, capsule: capsuleOf(STORE) });
    expect(codesOf((await bundleOf(STORE, fresh))['graph_context'])).toEqual([]);
  });

  test('a file in the place of the folder of tasks is task_root_missing', async () => {
    const odd = await serving(undefined, { now: () => NOW });
    await odd.post('cto', 'upsert', { ...STORE, capsule: capsuleOf(STORE) });
    commit(odd, { tasks: 'a file' });
    expect((await bundleOf(STORE, odd))['graph_context']).toMatchObject({
      anchor: null,
      warnings: [{ code: 'graph_derivation_failed', details: { reason: 'task_root_missing' } }],
    });
  });
});

describe('derived indexes: what reads use is a copy of git', () => {
  const copyOf = ({ folder }: Serving) => join(folder, `${CTO_ID}.db`);
  const stateOf = async (at: Serving) => (await bundleOf(STORE, at))['continuity_state'] as Json;

  test('a copy that is lost is made again, and the answer says continuity_index_missing once', async () => {
    const lost = await filled();
    for (const end of ['', '-wal', '-shm']) rmSync(copyOf(lost) + end, { force: true });
    const again = await serving(lost.folder, { now: () => NOW });
    expect(await stateOf(again)).toMatchObject({ present: true, recovery_warnings: ['continuity_index_missing'] });
    expect(await stateOf(again)).toMatchObject({ present: true, recovery_warnings: [] });
  });

  test('where it cannot be made, a bounded scan of git answers, with the same warning', async () => {
    const lost = await filled();
    await lost.close();
    for (const end of ['', '-wal', '-shm']) rmSync(copyOf(lost) + end, { force: true });
    mkdirSync(copyOf(lost));
    const again = await serving(lost.folder, { now: () => NOW });
    const state = await stateOf(again);
    expect(state).toMatchObject({ present: true, recovery_warnings: ['continuity_index_missing'] });
    expect(state['capsules']).toMatchObject([{ subject_id: 'store', source_state: 'active' }]);
  });

  test('a copy that cannot follow answers what it has, with continuity_index_stale', async () => {
    const behind = await filled();
    expect(await stateOf(behind)).toMatchObject({ recovery_warnings: [] });
    const ref = execFileSync('git', ['--git-dir', join(behind.folder, `${CTO_ID}.git`), 'symbolic-ref', 'HEAD'], {
      encoding: 'utf8',
    }).trim();
    writeFileSync(join(behind.folder, `${CTO_ID}.git`, ref), `${'1'.repeat(40)}\n`);
    expect(await stateOf(behind)).toMatchObject({ present: true, recovery_warnings: ['continuity_index_stale'] });
    const read = await behind.post('cto', 'read', STORE);
    expect([read.status, read.code]).toEqual([503, 'continuity_unusable']);
  });
});
