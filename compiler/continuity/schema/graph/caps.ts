/** Most entries of each list of a graph: "fixed implementation constants, not settings". */
export interface GraphCaps {
  readonly nodes: number;
  readonly edges: number;
  readonly related_documents: number;
  readonly blockers: number;
}

/** `bundle.graph_context` of a retrieval. */
export const CONTEXT_CAPS: GraphCaps = { nodes: 24, edges: 32, related_documents: 8, blockers: 8 };

/** `graph_summary` of a startup view. */
export const STARTUP_CAPS: GraphCaps = { nodes: 12, edges: 16, related_documents: 4, blockers: 4 };

/** A larger file of a task is not read. In bytes. */
export const TASK_BYTES = 64 * 1024;

/** Tasks of one owner that a graph is derived from; with more it is not derived. */
export const MOST_TASKS = 10_000;
