import { z } from 'zod';
import { CHARACTERS } from '../limits.ts';
import { charactersOf } from '../text.ts';
import { GraphWarning } from './warnings.ts';

/** The kinds of a node: only the first two can be an anchor. */
const NodeKind = z.enum(['thread', 'task', 'document']);

/** The id of a subject, or the path of a document. Untrusted: other programs write the files of tasks. */
const NodeName = z
  .string()
  .refine((it) => it.trim() !== '' && it.isWellFormed() && charactersOf(it) <= CHARACTERS['related_documents.path'], {
    message: 'is not the name of a subject or a document',
  });

/** A subject or a document. `id` is `<kind>:<subject_id>`. */
export const GraphNode = z
  .strictObject({ id: z.string(), kind: NodeKind, subject_id: NodeName })
  .refine(({ id, kind, subject_id }) => id === `${kind}:${subject_id}`, { path: ['id'] });

/** The kinds of a link between two subjects: `supersedes` leads from the successor to the subject that it replaces. */
const GraphRelationship = z.enum(['depends_on', 'linked_to_thread', 'references_document', 'supersedes']);

export const GraphEdge = z.strictObject({
  relationship: GraphRelationship,
  source_id: z.string(),
  target_id: z.string(),
});

const Cut = z.strictObject({ limit: z.int(), available: z.int(), returned: z.int(), truncated: z.boolean() });

/**
 * The links of a subject, one step far: `bundle.graph_context` of a retrieval, `graph_summary` of a startup view. They
 * are derived for each request, and not stored.
 */
export const GraphContext = z.strictObject({
  anchor: GraphNode.nullable(),
  nodes: z.array(GraphNode),
  edges: z.array(GraphEdge),
  related_documents: z.array(z.strictObject({ path: z.string(), node_id: z.string(), source_id: z.string() })),
  blockers: z.array(
    z.strictObject({
      task_id: z.string(),
      blocked_by_task_id: z.string(),
      source_id: z.string(),
      target_id: z.string(),
    }),
  ),
  truncation: z.strictObject({ nodes: Cut, edges: Cut, related_documents: Cut, blockers: Cut }),
  warnings: z.array(GraphWarning),
});

/** The links of one task, from its file `tasks/{open,done}/*.json`. */
export const TaskLinks = z.strictObject({
  task_id: z.string(),
  thread_id: z.string().nullable(),
  blocked_by: z.array(z.string()),
});

export type GraphNode = z.infer<typeof GraphNode>;
export type GraphEdge = z.infer<typeof GraphEdge>;
export type GraphContext = z.infer<typeof GraphContext>;
export type TaskLinks = z.infer<typeof TaskLinks>;
