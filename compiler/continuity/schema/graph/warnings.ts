import { z } from 'zod';

const warning = <const Code extends string, const Message extends string, Details extends z.ZodType>(
  code: Code,
  message: Message,
  details: Details,
) => z.strictObject({ code: z.literal(code), message: z.literal(message), details });

/** Names of what a graph is cut to its caps in, in the order in which the cuts are made. */
export const GraphField = z.enum(['nodes', 'edges', 'related_documents', 'blockers']);

/** Sources of links. */
const GraphSourceClass = z.enum([
  'continuity_capsule',
  'fallback_artifact',
  'related_document',
  'task_artifact',
  'unknown',
]);

/** Why there is no graph; never the text of an exception. */
export const GraphFailure = z.enum([
  'task_root_missing',
  'continuity_root_missing',
  'helper_exception',
  'malformed_source_unrecoverable',
  'source_limit_exceeded',
  'unknown',
]);

const text = z.string().nullable();

/** The warnings of a graph, in the order in which they are told; messages and details are part of the contract. */
export const GraphWarning = z.discriminatedUnion('code', [
  warning('graph_anchor_not_provided', 'No graph anchor was provided.', z.strictObject({})),
  warning(
    'graph_anchor_not_supported',
    'The selected subject kind is not supported as a graph anchor.',
    z.strictObject({ subject_kind: text }),
  ),
  warning(
    'graph_anchor_not_found',
    'The selected graph anchor was not found.',
    z.strictObject({ anchor_id: text, kind: text, subject_id: text }),
  ),
  warning('graph_derivation_failed', 'Graph context could not be derived.', z.strictObject({ reason: GraphFailure })),
  warning(
    'graph_truncated',
    'Graph context was truncated to configured caps.',
    z.strictObject({ field: GraphField, limit: z.int(), available: z.int() }),
  ),
  warning(
    'graph_result_malformed',
    'Malformed graph helper results were skipped.',
    z.strictObject({ malformed_nodes: z.int(), malformed_edges: z.int(), malformed_anchors: z.int() }),
  ),
  warning(
    'graph_source_denied',
    'A graph source was omitted because access was denied.',
    z.strictObject({ source_class: GraphSourceClass, path: text, anchor_id: text }),
  ),
  warning(
    'graph_suppressed_by_continuity_mode',
    'Graph context was suppressed because continuity mode is off.',
    z.strictObject({}),
  ),
]);

export type GraphField = z.infer<typeof GraphField>;
export type GraphFailure = z.infer<typeof GraphFailure>;
export type GraphWarning = z.infer<typeof GraphWarning>;
