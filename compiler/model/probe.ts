import { z } from 'zod';
import { Name } from './uri.ts';

/** `probes/<agent>.yaml` (§21.5.4): curated intents with the units each must, or must not, bring. */
export const ProbeSet = z.strictObject({
  probes: z
    .array(
      z.strictObject({
        intent: z.string().trim().min(1).max(8000),
        required: z.array(Name).min(1).max(16),
        forbidden: z.array(Name).max(16).default([]),
      }),
    )
    .max(1000),
});

export type ProbeSet = z.infer<typeof ProbeSet>;
