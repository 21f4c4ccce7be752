import { z } from 'zod';
import { RecallResponse } from './recall.ts';

/**
 * The units that a recall would load, and why: the answer without its texts. No agent receives it, so it is not
 * audited.
 */
export const TriedRecall = RecallResponse.pick({
  total_tokens: true,
  truncated: true,
  warnings: true,
  by_files: true,
}).extend({
  /** Names, in the order in which the units would be read. */
  order: z.array(z.string()),
  explain: RecallResponse.shape.explain.unwrap(),
});

export type TriedRecall = z.infer<typeof TriedRecall>;
