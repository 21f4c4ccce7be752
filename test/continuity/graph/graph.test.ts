import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anchorAmong } from '../../../compiler/continuity/graph/sources.ts';
import { isTaskPath, taskLinksOf } from '../../../compiler/continuity/graph/task-links.ts';
import { CONTEXT_CAPS, STARTUP_CAPS, TASK_BYTES } from '../../../compiler/continuity/schema/graph/caps.ts';
import { upsert } from '../../../compiler/continuity/upsert.ts';
import { applied, capsuleOf, noFiles, OCCASION, upsertOf } from '../capsules.ts';
import { ALL, codesOf, documentAt, graphOf, sourcesOf, TASK, taskOf, threadWith } from './graphs.ts';

const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const name = (at: number): string => String(at).padStart(3, '0');

describe('graph_context: what a thread or a task is linked with', () => {
  test('a thread is linked with its tasks, its documents and its successor', () => {
    const files = threadWith([documentAt('docs/b.md'), documentAt('docs/a.md')]);
    const superseded = applied(files, {
      writes: new Map([
        [
          files.path,
          Buffer.from(
            files.active!.toString().replace('"lifecycle":"active"', '"lifecycle":"superseded","superseded_by":"next"'),
          ),
        ],
      ]),
    });
    const graph = graphOf(sourcesOf([taskOf('t2'), taskOf('t1'), taskOf('t3', 'other')], { files: superseded }));
    expect(graph.anchor).toEqual({ id: 'thread:store', kind: 'thread', subject_id: 'store' });
    expect(graph.nodes.map(({ id }) => id)).toEqual([
      'document:docs/a.md',
      'document:docs/b.md',
      'task:t1',
      'task:t2',
      'thread:next',
    ]);
    expect(graph.edges.map((it) => [it.relationship, it.source_id, it.target_id])).toEqual([
      ['linked_to_thread', 'task:t1', 'thread:store'],
      ['linked_to_thread', 'task:t2', 'thread:store'],
      ['references_document', 'thread:store', 'document:docs/a.md'],
      ['references_document', 'thread:store', 'document:docs/b.md'],
      ['supersedes', 'thread:next', 'thread:store'],
    ]);
    expect(graph.related_documents).toEqual([
      { path: 'docs/a.md', node_id: 'document:docs/a.md', source_id: 'thread:store' },
      { path: 'docs/b.md', node_id: 'document:docs/b.md', source_id: 'thread:store' },
    ]);
    expect(graph.warnings).toEqual([]);
  });

  test('a task is linked with its thread, and with the tasks that block it', () => {
    const graph = graphOf(sourcesOf([taskOf('review', 'store', ['b', 'a', 'a']), taskOf('b')]), TASK);
    expect(graph.nodes.map(({ id }) => id)).toEqual(['task:a', 'task:b', 'thread:store']);
    expect(graph.blockers).toEqual([
      { task_id: 'review', blocked_by_task_id: 'a', source_id: 'task:review', target_id: 'task:a' },
      { task_id: 'review', blocked_by_task_id: 'b', source_id: 'task:review', target_id: 'task:b' },
    ]);
    expect(graph.edges.filter((it) => it.relationship === 'linked_to_thread')).toEqual([
      { relationship: 'linked_to_thread', source_id: 'task:review', target_id: 'thread:store' },
    ]);
  });

  test('what blocks the tasks of a thread is no part of its graph; a task without a thread is linked with none', () => {
    expect(graphOf(sourcesOf([taskOf('t1', 'store', ['t2'])])).edges).toEqual([
      { relationship: 'linked_to_thread', source_id: 'task:t1', target_id: 'thread:store' },
    ]);
    const alone = graphOf(sourcesOf([taskOf('review', null, ['a'])]), TASK);
    expect(alone.nodes.map(({ id }) => id)).toEqual(['task:a']);
    expect([alone.edges.map((it) => it.relationship), alone.warnings]).toEqual([['depends_on'], []]);
  });

  test('a task that blocks itself is no node of its own graph', () => {
    const graph = graphOf(sourcesOf([taskOf('review', null, ['review'])]), TASK);
    expect(graph.nodes).toEqual([]);
    expect(graph.blockers).toHaveLength(1);
  });

  test('an archived capsule links nothing, and a fallback only where it may stand for the active one', () => {
    const files = threadWith([documentAt('docs/a.md')]);
    const lost = { ...files, active: null };
    expect(graphOf(sourcesOf([], { files: lost })).related_documents).toHaveLength(1);
    const strict = graphOf(sourcesOf([], { files: lost }), undefined, { access: { ...ALL, allowFallback: false } });
    expect(codesOf(strict)).toEqual(['graph_anchor_not_found']);
    const archived = { ...noFiles(), archives: new Map([['memory/continuity/archive/a.json', files.active!]]) };
    expect(codesOf(graphOf(sourcesOf([], { files: archived })))).toEqual(['graph_anchor_not_found']);
  });

  test('the anchor is the first thread or task of the subjects', () => {
    const ann = { subject_kind: 'user', subject_id: 'ann' } as const;
    const store = { subject_kind: 'thread', subject_id: 'store' } as const;
    expect(anchorAmong([ann, store])).toEqual({ kind: 'thread', subject_id: 'store' });
    expect(anchorAmong([ann])).toEqual({ unsupported: 'user' });
    expect(anchorAmong([])).toEqual({ unsupported: null });
  });
});

describe('graph: "caps are fixed implementation constants, not settings"', () => {
  test('24 nodes, 32 edges, 8 documents and 8 blockers; at a startup 12, 16, 4 and 4', () => {
    expect(CONTEXT_CAPS).toEqual({ nodes: 24, edges: 32, related_documents: 8, blockers: 8 });
    expect(STARTUP_CAPS).toEqual({ nodes: 12, edges: 16, related_documents: 4, blockers: 4 });
  });

  test('"node-cap endpoint pruning happens before edge and projection caps"', () => {
    const blockers = many(40, (at) => `b${name(at)}`);
    const graph = graphOf(sourcesOf([taskOf('review', 'store', blockers)]), TASK);
    expect(graph.truncation).toEqual({
      nodes: { limit: 24, available: 41, returned: 24, truncated: true },
      // the thread sorts after the tasks and is cut, and its edge with it
      edges: { limit: 32, available: 24, returned: 24, truncated: false },
      related_documents: { limit: 8, available: 0, returned: 0, truncated: false },
      blockers: { limit: 8, available: 24, returned: 8, truncated: true },
    });
    expect(graph.warnings.map(({ details }) => details)).toEqual([
      { field: 'blockers', limit: 8, available: 24 },
      { field: 'nodes', limit: 24, available: 41 },
    ]);
    expect(graph.blockers.map((it) => it.blocked_by_task_id)).toEqual(blockers.slice(0, 8));
  });

  test('edges are cut before documents and blockers are taken from them', () => {
    const twice = many(12, (at) => `t${name(at)}`).flatMap((id) => [taskOf('review', `s-${id}`, [`b-${id}`])]);
    const graph = graphOf(sourcesOf(twice), TASK, { caps: { ...CONTEXT_CAPS, edges: 5 } });
    expect(graph.truncation.edges).toEqual({ limit: 5, available: 24, returned: 5, truncated: true });
    expect(graph.truncation.blockers).toEqual({ limit: 8, available: 5, returned: 5, truncated: false });
  });

  test('property: a graph keeps its caps, its order and its endpoints, whatever the order of its sources', () => {
    const id = fc.oneof(fc.constantFrom('review', 'a', 'b', 'é', 'store'), fc.string({ minLength: 1, maxLength: 9 }));
    const task = fc.record({ task_id: id, thread_id: fc.option(id), blocked_by: fc.array(id, { maxLength: 30 }) });
    fc.assert(
      fc.property(fc.array(task, { maxLength: 40 }), fc.constantFrom(CONTEXT_CAPS, STARTUP_CAPS), (tasks, caps) => {
        const anchored = [taskOf('review', 'store', ['a', 'b']), ...tasks];
        const graph = graphOf(sourcesOf(anchored), TASK, { caps });
        expect(graphOf(sourcesOf([...anchored].reverse()), TASK, { caps })).toEqual(graph);
        const ids = new Set([graph.anchor?.id, ...graph.nodes.map((it) => it.id)]);
        for (const it of graph.edges) expect(ids.has(it.source_id) && ids.has(it.target_id)).toBe(true);
        for (const [field, { limit, available, returned, truncated }] of Object.entries(graph.truncation)) {
          expect(returned).toBe(graph[field as keyof typeof graph.truncation].length);
          expect(returned).toBe(Math.min(limit, available));
          expect(truncated).toBe(available > limit);
        }
        expect(graph.nodes).toEqual([...graph.nodes].sort((a, b) => (a.id < b.id ? -1 : 1)));
      }),
      { numRuns: 60 },
    );
  });
});

describe('files of tasks, which other programs write', () => {
  const links = (value: unknown) => taskLinksOf(Buffer.from(JSON.stringify(value)));

  test('tasks/{open,done}/*.json are tasks, and nothing else is', () => {
    expect(isTaskPath('tasks/open/a.json') && isTaskPath('tasks/done/a.json')).toBe(true);
    for (const path of ['tasks/a.json', 'tasks/open/a/b.json', 'tasks/open/a.txt', 'x/tasks/open/a.json'])
      expect([path, isTaskPath(path)]).toEqual([path, false]);
  });

  test('what is no name is left out, and one file that cannot be read says nothing', () => {
    expect(links({ task_id: 'a', thread_id: ' ', blocked_by: ['b', '', 7, null], title: 'x' })).toEqual({
      task_id: 'a',
      thread_id: null,
      blocked_by: ['b'],
    });
    expect([links([]), links(null), links({ task_id: 7 }), links('a'), taskLinksOf(Buffer.from('{'))]).toEqual([
      ...[null, null, null, null, null],
    ]);
    expect(links({ task_id: 'a', pad: 'x'.repeat(TASK_BYTES) })).toBeNull();
  });

  test('names that no subject can have are counted as malformed, with their edges', () => {
    const long = 'x'.repeat(241);
    const graph = graphOf(sourcesOf([taskOf('review', long, ['a', '\ud800', long])]), TASK);
    expect(graph.nodes.map((it) => it.subject_id)).toEqual(['a']);
    expect(graph.warnings).toEqual([
      {
        code: 'graph_result_malformed',
        message: 'Malformed graph helper results were skipped.',
        details: { malformed_nodes: 3, malformed_edges: 3, malformed_anchors: 0 },
      },
    ]);
  });
});

test('"Graph data is derived response data only, is never persisted": a capsule with links is stored as it was sent', () => {
  const capsule = capsuleOf({}, { related_documents: [documentAt('docs/a.md')] });
  const { writes } = upsert(upsertOf(capsule), noFiles(), OCCASION);
  for (const bytes of writes.values()) expect(String(bytes)).not.toMatch(/graph_|"nodes"|"edges"/);
});
