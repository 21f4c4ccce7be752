import { describe, expect, test } from 'vitest';
import { graphContext, graphWithoutAnchor, suppressedGraph } from '../../../compiler/continuity/graph/graph-context.ts';
import { failureIn, type GraphAccess } from '../../../compiler/continuity/graph/sources.ts';
import { graphWarning, sorted } from '../../../compiler/continuity/graph/warnings.ts';
import { CONTEXT_CAPS, MOST_TASKS } from '../../../compiler/continuity/schema/graph/caps.ts';
import { GraphContext } from '../../../compiler/continuity/schema/graph/graph.ts';
import { noFiles, stored } from '../capsules.ts';
import { ALL, codesOf, documentAt, graphOf, sourcesOf, taskOf, THREAD, threadWith } from './graphs.ts';

const without = (...namespaces: string[]): GraphAccess => ({ ...ALL, mayRead: (it) => !namespaces.includes(it) });
const ANCHOR = { anchor_id: 'thread:store', kind: 'thread', subject_id: 'store' };
const warningsOf = (graph: GraphContext) =>
  graph.warnings.map(({ code, message, details }) => [code, message, details]);

/** "Exact message" and details of each code, in the order of the table of the specification. */
const TABLE: [graph: GraphContext, code: string, message: string, details: object][] = [
  [graphWithoutAnchor(null, CONTEXT_CAPS), 'graph_anchor_not_provided', 'No graph anchor was provided.', {}],
  [
    graphWithoutAnchor('user', CONTEXT_CAPS),
    'graph_anchor_not_supported',
    'The selected subject kind is not supported as a graph anchor.',
    { subject_kind: 'user' },
  ],
  [graphOf(sourcesOf()), 'graph_anchor_not_found', 'The selected graph anchor was not found.', ANCHOR],
  [
    graphOf(sourcesOf([taskOf('a')], { failure: 'task_root_missing' })),
    'graph_derivation_failed',
    'Graph context could not be derived.',
    { reason: 'task_root_missing' },
  ],
  [
    graphOf(sourcesOf(Array.from({ length: 25 }, (_, at) => taskOf(`t${at}`)))),
    'graph_truncated',
    'Graph context was truncated to configured caps.',
    { field: 'nodes', limit: 24, available: 25 },
  ],
  [
    graphOf(sourcesOf([taskOf('x'.repeat(300)), taskOf('a')])),
    'graph_result_malformed',
    'Malformed graph helper results were skipped.',
    { malformed_nodes: 1, malformed_edges: 1, malformed_anchors: 0 },
  ],
  [
    graphOf(sourcesOf([taskOf('a')], { files: stored() }), THREAD, { access: without('tasks') }),
    'graph_source_denied',
    'A graph source was omitted because access was denied.',
    { source_class: 'task_artifact', path: 'tasks', anchor_id: 'thread:store' },
  ],
  [
    suppressedGraph(CONTEXT_CAPS),
    'graph_suppressed_by_continuity_mode',
    'Graph context was suppressed because continuity mode is off.',
    {},
  ],
];

describe('the eight warnings of a graph, with their exact messages and details', () => {
  test.each(TABLE)('%#: %j', (graph, code, message, details) => {
    expect(GraphContext.parse(graph)).toEqual(graph);
    expect(warningsOf(graph)).toEqual([[code, message, details]]);
  });

  test('are sorted by the table, then by source_class, path, field and anchor_id', () => {
    const denied = (source_class: 'task_artifact' | 'related_document', path: string) =>
      graphWarning('graph_source_denied', { source_class, path, anchor_id: null });
    const truncated = (field: 'nodes' | 'blockers') =>
      graphWarning('graph_truncated', { field, limit: 1, available: 2 });
    const expected = [
      graphWarning('graph_anchor_not_provided', {}),
      truncated('blockers'),
      truncated('nodes'),
      denied('related_document', 'a'),
      denied('related_document', 'b'),
      denied('task_artifact', 'a'),
      graphWarning('graph_suppressed_by_continuity_mode', {}),
    ];
    expect(sorted([...expected].reverse())).toEqual(expected);
  });
});

describe('graph_source_denied: a key sees what its namespaces have', () => {
  test('without the namespace tasks no task is a node, and the documents in it are left out', () => {
    const files = threadWith([documentAt('docs/a.md'), documentAt('tasks/open/a.json'), documentAt('./tasks//b')]);
    const graph = graphOf(sourcesOf([taskOf('a')], { files }), THREAD, { access: without('tasks') });
    expect(graph.nodes.map(({ id }) => id)).toEqual(['document:docs/a.md']);
    expect(graph.warnings.map(({ details }) => details)).toMatchObject([
      { source_class: 'related_document', path: './tasks//b' },
      { source_class: 'related_document', path: 'tasks/open/a.json' },
      { source_class: 'task_artifact', path: 'tasks' },
    ]);
    expect(JSON.stringify(graph)).not.toContain('task:a');
  });

  test('without the namespace continuity the capsule links nothing, and nobody is told whether it is there', () => {
    const sources = sourcesOf([], { files: threadWith([documentAt('docs/a.md')]) });
    const graph = graphOf(sources, THREAD, { access: without('continuity', 'tasks') });
    expect([graph.anchor, codesOf(graph)]).toEqual([null, ['graph_source_denied']]);
  });
});

describe('graph_derivation_failed: "it never includes raw exception text"', () => {
  test('whatever the helper throws, its reason is helper_exception', () => {
    const graph = graphContext(THREAD, sourcesOf(), ALL, CONTEXT_CAPS, () => {
      throw new Error('/var/lib/secret: no such file');
    });
    expect(warningsOf(graph)).toEqual([
      ['graph_derivation_failed', 'Graph context could not be derived.', { reason: 'helper_exception' }],
    ]);
    expect(graph.anchor).toBeNull();
  });

  test('a capsule that cannot be read and has no fallback is malformed_source_unrecoverable', () => {
    const broken = { ...noFiles(), active: Buffer.from('{') };
    expect(warningsOf(graphOf(sourcesOf([], { files: broken })))[0]?.[2]).toEqual({
      reason: 'malformed_source_unrecoverable',
    });
    // its tasks are known all the same
    expect(graphOf(sourcesOf([taskOf('a')], { files: broken })).nodes).toHaveLength(1);
  });

  test('a file where a folder belongs, and more tasks than are read, have a reason each; a fresh repository has none', () => {
    const tasks = (count: number) => Array.from({ length: count }, (_, at) => `tasks/open/${at}.json`);
    expect([[], tasks(1), tasks(MOST_TASKS)].map(failureIn)).toEqual([null, null, null]);
    expect(
      [['tasks'], ['tasks/done', ...tasks(1)], ['memory'], ['memory/continuity'], tasks(MOST_TASKS + 1)].map(failureIn),
    ).toEqual([
      'task_root_missing',
      'task_root_missing',
      'continuity_root_missing',
      'continuity_root_missing',
      'source_limit_exceeded',
    ]);
  });

  test('results of the helper that break a rule are skipped and counted', () => {
    const graph = graphContext(THREAD, sourcesOf(), ALL, CONTEXT_CAPS, () => ({
      anchor: 'thread:store',
      nodes: [null, { id: 'task:a', kind: 'task', subject_id: 'b' }, { id: 'task:a', kind: 'task', subject_id: 'a' }],
      edges: [{ relationship: 'likes', source_id: 'task:a', target_id: 'thread:store' }, 7],
      warnings: [],
    }));
    expect(graph.nodes.map(({ id }) => id)).toEqual(['task:a']);
    expect(graph.warnings.map(({ details }) => details)).toEqual([
      { malformed_nodes: 2, malformed_edges: 2, malformed_anchors: 1 },
    ]);
  });
});
