import type { Capsule } from '../schema/capsule.ts';
import type { GraphEdge, GraphNode, TaskLinks } from '../schema/graph/graph.ts';
import type { GraphWarning } from '../schema/graph/warnings.ts';
import { resolve, type Resolved } from '../stored/resolve.ts';
import { namespaceOf, type GraphAccess, type GraphAnchor, type GraphSources } from './sources.ts';
import { graphWarning } from './warnings.ts';

/** A graph before it is cut. Its parts are checked once more: other programs wrote the names in them. */
export interface DerivedGraph {
  readonly anchor: unknown;
  readonly nodes: readonly unknown[];
  readonly edges: readonly unknown[];
  /** With one of these alone there is no graph. */
  readonly warnings: readonly GraphWarning[];
}

/** Derives the links of an anchor. */
export type DeriveLinks = (anchor: GraphAnchor, sources: GraphSources, access: GraphAccess) => DerivedGraph;

/** The links of the anchor, one step far, as its tasks and its capsule state them themselves. */
export const deriveLinks: DeriveLinks = (anchor, sources, access) => {
  const tasks = access.mayRead('tasks') ? sources.tasks.filter((it) => isOf(anchor, it)) : [];
  const { capsule, source_state, recovery_warnings } = capsuleOf(sources, access);
  const documents = (capsule?.continuity.related_documents ?? []).map(({ path }) => path);
  const hidden = documents.filter((path) => !maySee(path, access));
  const denied = [...deniedTasks(anchor, access), ...hidden.map((path) => denial('related_document', path, anchor))];
  if (tasks.length === 0 && capsule === null) {
    const isBroken = recovery_warnings.includes('continuity_active_invalid') && source_state === 'missing';
    return nothing(denied.length > 0 ? denied : [isBroken ? unrecoverable() : notFound(anchor)]);
  }
  const links = [
    ...tasks.flatMap((it) => linksOfTask(anchor, it)),
    ...documents.filter((path) => !hidden.includes(path)).map((path) => linkTo(anchor, path)),
    ...successor(anchor, capsule),
  ];
  return {
    anchor: nodeOf(anchor.kind, anchor.subject_id),
    nodes: links.map(({ node }) => node),
    edges: links.map(({ edge }) => edge),
    warnings: denied,
  };
};

interface Link {
  readonly node: GraphNode;
  readonly edge: GraphEdge;
}

const isOf = ({ kind, subject_id }: GraphAnchor, task: TaskLinks): boolean =>
  (kind === 'task' ? task.task_id : task.thread_id) === subject_id;

/** The readable capsule, if there is one; archives were put aside, and have no effect any longer. */
function capsuleOf({ files }: GraphSources, { mayRead, allowFallback }: GraphAccess): Resolved {
  const nothingHeld: Resolved = { capsule: null, source_state: 'missing', recovery_warnings: [] };
  if (!mayRead('continuity')) return nothingHeld;
  return resolve(allowFallback ? files : { ...files, fallback: null });
}

/** A thread is linked with its tasks; a task with its thread, and with its blockers. */
function linksOfTask(anchor: GraphAnchor, { task_id, thread_id, blocked_by }: TaskLinks): Link[] {
  const task = nodeOf('task', task_id);
  const thread = thread_id === null ? null : nodeOf('thread', thread_id);
  const other = anchor.kind === 'task' ? thread : task;
  const linked = thread && other ? [{ node: other, edge: edgeOf('linked_to_thread', task, thread) }] : [];
  if (anchor.kind === 'thread') return linked;
  const blockers = blocked_by.map((id) => nodeOf('task', id));
  return [...linked, ...blockers.map((node) => ({ node, edge: edgeOf('depends_on', task, node) }))];
}

function linkTo(anchor: GraphAnchor, path: string): Link {
  const node = nodeOf('document', path);
  return { node, edge: edgeOf('references_document', nodeOf(anchor.kind, anchor.subject_id), node) };
}

function successor(anchor: GraphAnchor, capsule: Capsule | null): Link[] {
  const by = capsule?.thread_descriptor?.superseded_by ?? '';
  if (by.trim() === '') return [];
  const node = nodeOf(anchor.kind, by);
  return [{ node, edge: edgeOf('supersedes', node, nodeOf(anchor.kind, anchor.subject_id)) }];
}

function nodeOf(kind: GraphNode['kind'], subject_id: string): GraphNode {
  return { id: `${kind}:${subject_id}`, kind, subject_id };
}

function edgeOf(relationship: GraphEdge['relationship'], from: GraphNode, to: GraphNode): GraphEdge {
  return { relationship, source_id: from.id, target_id: to.id };
}

export function idOf({ kind, subject_id }: GraphAnchor): string {
  return `${kind}:${subject_id}`;
}

function maySee(path: string, { mayRead }: GraphAccess): boolean {
  const namespace = namespaceOf(path);
  return namespace === null || mayRead(namespace);
}

function deniedTasks(anchor: GraphAnchor, { mayRead }: GraphAccess): GraphWarning[] {
  return mayRead('tasks') ? [] : [denial('task_artifact', 'tasks', anchor)];
}

function denial(source_class: 'task_artifact' | 'related_document', path: string, anchor: GraphAnchor): GraphWarning {
  return graphWarning('graph_source_denied', { source_class, path, anchor_id: idOf(anchor) });
}

function nothing(warnings: readonly GraphWarning[]): DerivedGraph {
  return { anchor: null, nodes: [], edges: [], warnings };
}

function notFound(anchor: GraphAnchor): GraphWarning {
  return graphWarning('graph_anchor_not_found', { anchor_id: idOf(anchor), ...anchor });
}

function unrecoverable(): GraphWarning {
  return graphWarning('graph_derivation_failed', { reason: 'malformed_source_unrecoverable' });
}
