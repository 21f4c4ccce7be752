import type { GraphCaps } from '../schema/graph/caps.ts';
import type { GraphContext } from '../schema/graph/graph.ts';
import type { SubjectKind } from '../schema/words.ts';
import { cut, emptyGraph } from './cut.ts';
import { deriveLinks, type DerivedGraph, type DeriveLinks } from './derive.ts';
import type { GraphAccess, GraphAnchor, GraphSources } from './sources.ts';
import { graphWarning } from './warnings.ts';

/**
 * The links of an anchor, within caps. A failure is a warning of the graph, and never of the answer that it is part of.
 */
export function graphContext(
  anchor: GraphAnchor,
  sources: GraphSources,
  access: GraphAccess,
  caps: GraphCaps,
  derive: DeriveLinks = deriveLinks,
): GraphContext {
  const { failure } = sources;
  if (failure !== null) return emptyGraph(caps, [graphWarning('graph_derivation_failed', { reason: failure })]);
  const derived = derivedOrFailed(() => derive(anchor, sources, access));
  const isThere = derived.anchor !== null || derived.nodes.length > 0;
  return isThere ? cut(derived, anchor, caps) : emptyGraph(caps, derived.warnings);
}

/** A graph of no anchor: none was named, or one of a kind that links nothing. */
export function graphWithoutAnchor(kind: SubjectKind | null, caps: GraphCaps): GraphContext {
  const warning =
    kind === null
      ? graphWarning('graph_anchor_not_provided', {})
      : graphWarning('graph_anchor_not_supported', { subject_kind: kind });
  return emptyGraph(caps, [warning]);
}

/** "When context.retrieve uses continuity_mode="off", graph derivation is suppressed". */
export function suppressedGraph(caps: GraphCaps): GraphContext {
  return emptyGraph(caps, [graphWarning('graph_suppressed_by_continuity_mode', {})]);
}

function derivedOrFailed(derive: () => DerivedGraph): DerivedGraph {
  try {
    return derive();
  } catch {
    const warnings = [graphWarning('graph_derivation_failed', { reason: 'helper_exception' })];
    return { anchor: null, nodes: [], edges: [], warnings };
  }
}
