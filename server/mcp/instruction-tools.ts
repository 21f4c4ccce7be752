import { z } from 'zod';
import { announcedSchema } from '../../compiler/schema/api/announced-schema.ts';
import {
  CHOOSING,
  CLOSE_TOOL,
  RECALL_PURPOSE,
  RECALL_TOOL,
  toolOutline,
  toolSchema,
} from '../../compiler/schema/api/recall-tool.ts';
import { McpRecallRequest, Outcome, RecallResponse } from '../../compiler/schema/api/recall.ts';
import { Closing } from '../../compiler/schema/audit/record.ts';
import { operation } from '../operations/operation.ts';
import { OWN_OPERATIONS } from '../operations/tables/agent-caller.ts';
import { READS, type Tool } from './register-tools.ts';

/** Recall with the defaults of MCP, whose callers are models. */
export const MCP_RECALL = operation({ ...OWN_OPERATIONS.recallInstruction, body: McpRecallRequest });

/** Short, since every host pays for it in tokens. */
const unavailable = z.array(z.looseObject({ name: z.string() })).optional();

/** Short too; the whole shape is Explanation. */
const Explained = RecallResponse.extend({
  unavailable,
  explain: z.looseObject({
    units: z.array(z.looseObject({ name: z.string(), outcome: Outcome, score: z.number() })),
  }),
});

/** Recalling instructions, and closing a recall. */
export const INSTRUCTION_TOOLS: readonly Tool[] = [
  {
    name: RECALL_TOOL,
    description: `${RECALL_PURPOSE} Call it before any non-trivial task, and close the recall afterwards. ${CHOOSING}`,
    answer: (caller, body) => caller.run(MCP_RECALL, { body }),
    input: toolSchema(McpRecallRequest),
    output: announcedSchema(RecallResponse.omit({ explain: true }).extend({ unavailable }), 'output'),
    annotations: { ...READS, title: 'Recall instructions' },
  },
  {
    name: 'explain_recall',
    description: 'Recall, with the scores of every unit and why it is in the answer or not. For debugging.',
    answer: (caller, body) => caller.run(MCP_RECALL, { query: { explain: 'true' }, body }),
    input: toolOutline(McpRecallRequest),
    output: announcedSchema(Explained, 'output'),
    annotations: { ...READS, title: 'Explain a recall' },
  },
  {
    name: CLOSE_TOOL,
    description:
      'Report, once a task is done, which units of a recall you used (used_chunks) and what you needed and did not get (missed_chunks), or that nothing fitted (nothing_fits).',
    answer: async (caller, body) => {
      await caller.perform('closeRecall', { body });
      return { closed: true };
    },
    input: toolSchema(Closing),
    output: announcedSchema(z.strictObject({ closed: z.literal(true) }), 'output'),
    annotations: {
      title: 'Close a recall',
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  },
];
