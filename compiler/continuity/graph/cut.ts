import { byText } from '../../trust/canonical.ts';
import type { GraphCaps } from '../schema/graph/caps.ts';
import { GraphEdge, GraphNode, type GraphContext } from '../schema/graph/graph.ts';
import { GraphField, type GraphWarning } from '../schema/graph/warnings.ts';
import { idOf, type DerivedGraph } from './derive.ts';
import type { GraphAnchor } from './sources.ts';
import { graphWarning, sorted } from './warnings.ts';

/**
 * A graph within its caps. "Nodes sort by id; edges sort by relationship, source_id, and target_id; node-cap endpoint
 * pruning happens before edge and projection caps", so no edge leads to a node that is not there.
 * Documents and blockers come in the order of their edges.
 */
export function cut(derived: DerivedGraph, anchor: GraphAnchor, caps: GraphCaps): GraphContext {
  const anchorId = idOf(anchor);
  const found = wellFormed(derived, anchorId);
  const nodes = kept(found.nodes, caps.nodes);
  const ids = new Set([anchorId, ...nodes.returned.map(({ id }) => id)]);
  const edges = kept(
    found.edges.filter((it) => ids.has(it.source_id) && ids.has(it.target_id)),
    caps.edges,
  );
  const related_documents = kept(edges.returned.flatMap(documentOf), caps.related_documents);
  const blockers = kept(edges.returned.flatMap(blockerOf), caps.blockers);
  const truncation = {
    nodes: nodes.cut,
    edges: edges.cut,
    related_documents: related_documents.cut,
    blockers: blockers.cut,
  };
  return {
    anchor: { id: anchorId, ...anchor },
    nodes: nodes.returned,
    edges: edges.returned,
    related_documents: related_documents.returned,
    blockers: blockers.returned,
    truncation,
    warnings: sorted([...derived.warnings, ...found.warnings, ...truncated(truncation)]),
  };
}

/** A graph without anything, for a reason. */
export function emptyGraph(caps: GraphCaps, warnings: readonly GraphWarning[]): GraphContext {
  const cutOf = (field: GraphField) => kept([], caps[field]).cut;
  return {
    anchor: null,
    nodes: [],
    edges: [],
    related_documents: [],
    blockers: [],
    truncation: {
      nodes: cutOf('nodes'),
      edges: cutOf('edges'),
      related_documents: cutOf('related_documents'),
      blockers: cutOf('blockers'),
    },
    warnings: sorted(warnings),
  };
}

type Truncation = GraphContext['truncation'];

/** Nodes and edges each once and in order, without what breaks a rule. */
function wellFormed({ anchor, nodes, edges }: DerivedGraph, anchorId: string) {
  const goodNodes = unique(
    nodes,
    (it) => GraphNode.safeParse(it).data,
    ({ id }) => id,
  );
  const known = new Set([anchorId, ...goodNodes.unique.map(({ id }) => id)]);
  const goodEdges = unique(
    edges,
    (it) => {
      const edge = GraphEdge.safeParse(it).data;
      return edge && known.has(edge.source_id) && known.has(edge.target_id) ? edge : undefined;
    },
    (it) => `${it.relationship}\0${it.source_id}\0${it.target_id}`,
  );
  const counts = {
    malformed_nodes: goodNodes.malformed,
    malformed_edges: goodEdges.malformed,
    malformed_anchors: GraphNode.safeParse(anchor).data?.id === anchorId ? 0 : 1,
  };
  const isMalformed = Object.values(counts).some((it) => it > 0);
  return {
    nodes: goodNodes.unique.filter(({ id }) => id !== anchorId),
    edges: goodEdges.unique,
    warnings: isMalformed ? [graphWarning('graph_result_malformed', counts)] : [],
  };
}

/** The readable entries of a list, each once, ordered by their keys. */
function unique<T>(list: readonly unknown[], read: (it: unknown) => T | undefined, keyOf: (it: T) => string) {
  const byKey = new Map<string, T>();
  let malformed = 0;
  for (const it of list) {
    const value = read(it);
    if (value === undefined) malformed += 1;
    else byKey.set(keyOf(value), value);
  }
  const ordered = [...byKey].sort(([a], [b]) => byText(a, b));
  return { unique: ordered.map(([, value]) => value), malformed };
}

function kept<T>(list: readonly T[], limit: number) {
  const returned = list.slice(0, limit);
  const cut = { limit, available: list.length, returned: returned.length, truncated: list.length > limit };
  return { returned, cut };
}

function truncated(truncation: Truncation): GraphWarning[] {
  return GraphField.options
    .filter((field) => truncation[field].truncated)
    .map((field) => {
      const { limit, available } = truncation[field];
      return graphWarning('graph_truncated', { field, limit, available });
    });
}

function documentOf({ relationship, source_id, target_id }: GraphEdge): GraphContext['related_documents'] {
  if (relationship !== 'references_document') return [];
  return [{ path: nameIn(target_id), node_id: target_id, source_id }];
}

function blockerOf({ relationship, source_id, target_id }: GraphEdge): GraphContext['blockers'] {
  if (relationship !== 'depends_on') return [];
  return [{ task_id: nameIn(source_id), blocked_by_task_id: nameIn(target_id), source_id, target_id }];
}

function nameIn(id: string): string {
  return id.slice(id.indexOf(':') + 1);
}
