import { graphContext } from '../../../compiler/continuity/graph/graph-context.ts';
import type { GraphAccess, GraphAnchor, GraphSources } from '../../../compiler/continuity/graph/sources.ts';
import { CONTEXT_CAPS, type GraphCaps } from '../../../compiler/continuity/schema/graph/caps.ts';
import { GraphContext, type TaskLinks } from '../../../compiler/continuity/schema/graph/graph.ts';
import { noFiles, stored, type Json } from '../capsules.ts';

export const THREAD: GraphAnchor = { kind: 'thread', subject_id: 'store' };
export const TASK: GraphAnchor = { kind: 'task', subject_id: 'review' };

export const taskOf = (task_id: string, thread_id: string | null = 'store', blocked_by: string[] = []): TaskLinks => ({
  task_id,
  thread_id,
  blocked_by,
});

/** A document that a capsule refers to. */
export const documentAt = (path: string) => ({ path, kind: 'design', label: path });

/** Files of a thread in a store, and its tasks. */
export const sourcesOf = (tasks: readonly TaskLinks[] = [], more: Partial<GraphSources> = {}): GraphSources => ({
  tasks,
  files: noFiles(),
  failure: null,
  ...more,
});

/** The capsule of a thread, with its descriptor and its documents. */
export const threadWith = (related_documents: Json[], descriptor: Json = {}) =>
  stored({ thread_descriptor: { label: 'store', ...descriptor } }, { related_documents });

export const ALL: GraphAccess = { mayRead: () => true, allowFallback: true };

/** The graph of an anchor, which its schema accepts. */
export function graphOf(
  sources: GraphSources,
  anchor: GraphAnchor = THREAD,
  { access = ALL, caps = CONTEXT_CAPS }: { readonly access?: GraphAccess; readonly caps?: GraphCaps } = {},
): GraphContext {
  return GraphContext.parse(graphContext(anchor, sources, access, caps));
}

export const codesOf = ({ warnings }: GraphContext) => warnings.map(({ code }) => code);
