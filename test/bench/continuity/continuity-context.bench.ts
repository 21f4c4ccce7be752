import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type * as Graph from '../../../compiler/continuity/graph/graph-context.ts';
import type * as Retrieve from '../../../compiler/continuity/retrieve.ts';
import type * as Schedule from '../../../compiler/continuity/schedule/context.ts';
import { CONTEXT_CAPS, MOST_TASKS } from '../../../compiler/continuity/schema/graph/caps.ts';
import type { TaskLinks } from '../../../compiler/continuity/schema/graph/graph.ts';
import type { Continuity } from '../../../server/continuity/continuity.ts';
import type * as Open from '../../../server/continuity/open.ts';
import type * as Place from '../../../server/continuity/store/place.ts';
import { createOf } from '../../continuity/schedule/items.ts';
import { report, spread, time } from '../measure.ts';
import { richUpsertAt, words } from './rich-capsules.ts';

/** As it is run: built, not as a test run transforms it. */
const built = (path: string): Promise<unknown> => import(new URL(`../../../dist/${path}`, import.meta.url).href);
const { openContinuity } = (await built('server/continuity/open.js')) as typeof Open;
const { ownerPlaceOf } = (await built('server/continuity/store/place.js')) as typeof Place;
const { retrieve, selectorsOf } = (await built('compiler/continuity/retrieve.js')) as typeof Retrieve;
const { graphContext, suppressedGraph } = (await built('compiler/continuity/graph/graph-context.js')) as typeof Graph;
const { dueQuery, scheduleContext } = (await built('compiler/continuity/schedule/context.js')) as typeof Schedule;

const CAPSULES = 1000;
const TASKS = 1000;
const ITEMS = 10_000;
const START = Date.parse('2026-11-23T12:00:00Z');

let root: string;
let capsules: Continuity;
const clock = START + CAPSULES * 1000;

beforeAll(async () => {
  root = await mkdtemp(join(process.cwd(), '.cache', 'contexts-'));
  capsules = openContinuity({ root, archiveDays: 90 }, pino({ level: 'silent' }));
  const write = (id: string, at: number) => {
    const request = richUpsertAt(id, at);
    const subject = { kind: 'thread', id };
    return capsules.mutate('ada', { subject, verb: 'upsert', request, now: at, author: 'bench', key: null });
  };
  for (let at = 0; at < CAPSULES; at += 100)
    await Promise.all(Array.from({ length: 100 }, (_, i) => write(`subject-${at + i}`, START + (at + i) * 1000)));
});

afterAll(async () => {
  await capsules.end();
  rmSync(root, { recursive: true, force: true });
});

test('four of a thousand capsules are retrieved within a budget in five milliseconds', async () => {
  const subjects = [5, 300, 600, 999].map((at) => ({ subject_kind: 'thread' as const, subject_id: `subject-${at}` }));
  const graph_context = suppressedGraph(CONTEXT_CAPS);
  const took = { 12_000: [] as number[], 4000: [] as number[], 600: [] as number[] };
  for (const [budget, times] of Object.entries(took)) {
    const request = {
      task: 'go on',
      continuity_selectors: subjects,
      continuity_max_capsules: 4,
      max_tokens_estimate: Number(budget),
    };
    const retrieving = async () => {
      const names = selectorsOf(request).map(({ subject_kind: kind, subject_id: id }) => ({ kind, id }));
      const { files } = await capsules.heldOf('ada', names);
      const found = files.map((it, at) => ({
        subject: subjects[at] ?? { subject_kind: 'thread' as const, subject_id: '' },
        files: it,
      }));
      return JSON.stringify(retrieve(request, found, { now: clock, around: { graph_context } }));
    };
    await retrieving();
    for (let i = 0; i < 60; i++) times.push(await time(retrieving));
    report(
      `a retrieval of 4 of 1,000 capsules in ${budget} tokens: p50`,
      `${spread(times).median.toFixed(2)} ms`,
      '≤ 5 ms',
    );
  }
  for (const times of Object.values(took)) expect(spread(times).median).toBeLessThanOrEqual(5);
});

test('a graph of a thousand tasks is derived in twenty milliseconds', async () => {
  const files = Array.from({ length: TASKS }, (_, at) => {
    const task = {
      task_id: `task-${at}`,
      thread_id: 'subject-1',
      blocked_by: [`task-${at + 1}`],
      title: words(3).join(' '),
    };
    const text = JSON.stringify(task);
    return `M 100644 inline tasks/open/task-${at}.json\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  });
  const { folder } = ownerPlaceOf(root, 'ada');
  const branch = execFileSync('git', ['--git-dir', folder, 'symbolic-ref', 'HEAD'], { encoding: 'utf8' }).trim();
  const head = `commit ${branch}\ncommitter x <x@example.org> 1 +0000\ndata 1\nx\nfrom ${branch}^0\n`;
  execFileSync('git', ['--git-dir', folder, 'fast-import', '--quiet'], { input: head + files.join('') });
  const deriving = async () => {
    const rows = await capsules.links('ada', MOST_TASKS + 1);
    const held = await capsules.held('ada', { kind: 'thread', id: 'subject-1' });
    const tasks = rows.flatMap(({ summary }) => (summary === null ? [] : [summary as TaskLinks]));
    const anchor = { kind: 'thread', subject_id: 'subject-1' } as const;
    const access = { mayRead: () => true, allowFallback: true };
    return graphContext(anchor, { tasks, files: held, failure: null }, access, CONTEXT_CAPS);
  };
  const first = await time(deriving);
  const times: number[] = [];
  for (let i = 0; i < 50; i++) times.push(await time(deriving));
  expect((await deriving()).truncation.nodes.available).toBe(TASKS);
  report('a graph of 1,000 tasks: p50', `${spread(times).median.toFixed(2)} ms`, '≤ 20 ms');
  report('  the first one, which follows the commit of the tasks', `${first.toFixed(0)} ms`, '');
  expect(spread(times).median).toBeLessThanOrEqual(20);
});

test('what is due among ten thousand items is found in five milliseconds', async () => {
  const { schedule } = capsules;
  const request = createOf({
    thread_id: 'subject-1',
    due_at: new Date(START + 60_000).toISOString().replace('.000Z', 'Z'),
  });
  const { change } = await schedule.change('ada', { verb: 'create', request }, { now: START, actor: 'bench' });
  const db = new Database(ownerPlaceOf(root, 'ada').schedule);
  const columns = Object.keys(db.prepare('SELECT * FROM items').get() as object);
  const value: Readonly<Record<string, string>> = {
    schedule_id: "'sched_' || x",
    due_at: "strftime('%Y-%m-%dT%H:%M:%SZ', due_at_ts + x, 'unixepoch')",
    due_at_ts: 'due_at_ts + x',
    title: "title || ' ' || x",
  };
  db.prepare(
    `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < ${ITEMS - 1})
     INSERT INTO items SELECT ${columns.map((it) => value[it] ?? it).join(', ')} FROM items, n WHERE schedule_id = ?`,
  ).run(change.item.schedule_id);
  db.close();
  const now = START + 60_000 + (ITEMS / 2) * 1000;
  const asking = async () => {
    const query = dueQuery([{ subject_kind: 'thread', subject_id: 'subject-1' }], schedule.settings, now);
    const { found } = await schedule.read('ada', now, (it) => it.due(query));
    return scheduleContext(found, schedule.settings, now);
  };
  const times: number[] = [];
  for (let i = 0; i < 200; i++) times.push(await time(asking));
  expect(await asking()).toMatchObject({
    due: { count: 10, truncated: true },
    upcoming: { count: 5, truncated: true },
  });
  report('what is due among 10,000 items: p50', `${spread(times).median.toFixed(2)} ms`, '≤ 5 ms');
  expect(spread(times).median).toBeLessThanOrEqual(5);
});
