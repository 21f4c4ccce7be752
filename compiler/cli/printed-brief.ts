import { z } from 'zod';
import type { PrintedBrief as Printed } from '../app/brief/print-brief.ts';
import { LEFT_OUT } from '../brief/brief.ts';
import type { CommandResult } from './registry.ts';

/** A brief as a command prints it. */
export const PrintedBrief = z.object({
  kind: z.enum(['phrases', 'probes']),
  agent: z.string(),
  /** Null if there is nothing to write. */
  brief: z.string().nullable(),
  part: z.int(),
  parts: z.int(),
  units: z.array(z.string()),
  left_out: z.array(z.object({ unit: z.string(), reason: z.enum(LEFT_OUT) })),
  markdown: z.string(),
});

export function toOutcome(printed: Printed): CommandResult {
  return { data: printed, text: printed.markdown };
}
