import { z } from 'zod';
import { Instant } from '../primitives.ts';
import { MigrationMode } from '../source/agent.ts';
import { Name } from '../uri.ts';

/** A share, 0..1, to four places. */
const Share = z.number().min(0).max(1);

/** One agent's line in the overview of the deployment. Tokens are cl100k. */
export const AgentSummary = z.strictObject({
  name: Name,
  agent_id: z.string(),
  role: z.string(),
  migration_mode: MigrationMode,
  sensitive: z.boolean(),
  /** Current facts, including the shared ones. */
  units: z.int().nonnegative(),
  guaranteed: z.int().nonnegative(),
  held: z.int().nonnegative(),
  /** If the coverage gate was bypassed: the deadline for passing it; null if it was passed. */
  recertify_by: Instant.nullable(),
  tokens: z.strictObject({
    /** Tokens of the body of the largest boot stub. */
    stub: z.int().nonnegative(),
    manifest: z.int().nonnegative(),
    /** Tokens of all units together: the cost of eager loading. */
    units: z.int().nonnegative(),
    largest_unit: z.int().nonnegative(),
  }),
  /** Null if it was not measured. */
  coverage: z
    .strictObject({
      /** Mean share of paraphrases that find their unit. */
      mean: Share,
      /** Units with too few hits among the first ten (§21.8.6). */
      critical: z.int().nonnegative(),
    })
    .nullable(),
  /** Null without curated probes. */
  probes: z
    .strictObject({
      probes: z.int().nonnegative(),
      /** Number of those that do not count, because a trigger or a phrase nearly copies them. */
      uncounted: z.int().nonnegative(),
      passed: z.int().nonnegative(),
      /** Units that the probes require, each as often as one does, and how many of them are among the first k. */
      required: z.int().nonnegative(),
      found: z.int().nonnegative(),
    })
    .nullable(),
  /** Changes since the compared bundle; null without one. */
  changed: z
    .strictObject({
      added: z.int().nonnegative(),
      changed: z.int().nonnegative(),
      removed: z.int().nonnegative(),
    })
    .nullable(),
  /** The miss rate of the last seven days; null if no audit was read. */
  audit: z
    .strictObject({
      miss_rate: Share.nullable(),
      alert: z.boolean(),
    })
    .nullable(),
});

export type AgentSummary = z.infer<typeof AgentSummary>;
