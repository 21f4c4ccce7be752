import { z } from 'zod';
import { Digest, Instant } from '../primitives.ts';
import { MigrationMode } from '../source/agent.ts';
import { Name } from '../uri.ts';

/** A share, 0..1, to four places. */
const Share = z.number().min(0).max(1);

/** One agent's line of the deployment's overview. Tokens are cl100k. */
export const AgentSummary = z.strictObject({
  name: Name,
  agent_id: z.string(),
  role: z.string(),
  migration_mode: MigrationMode,
  sensitive: z.boolean(),
  /** Of the garden, not of the deployment. */
  serial: z.int().positive(),
  commit: z.string(),
  committed_at: Instant,
  digest: Digest,
  manifest_version: z.string().nullable(),
  /** Facts in force, the shared ones among them. */
  units: z.int().nonnegative(),
  guaranteed: z.int().nonnegative(),
  held: z.int().nonnegative(),
  approvals: z.int().nonnegative(),
  /** Until when the coverage gate, which was passed by, has to be passed; null where it was. */
  recertify_by: Instant.nullable(),
  tokens: z.strictObject({
    /** Body of the largest boot stub. */
    stub: z.int().nonnegative(),
    manifest: z.int().nonnegative(),
    /** Of all units together: what eager loading would cost. */
    units: z.int().nonnegative(),
    largest_unit: z.int().nonnegative(),
  }),
  /** Null where nothing was measured. */
  coverage: z
    .strictObject({
      /** Mean share of paraphrases that find their unit. */
      mean: Share,
      least: Share,
      /** Units with too few hits among the first ten (§21.8.6). */
      critical: z.int().nonnegative(),
    })
    .nullable(),
  /** Null without curated probes. */
  probes: z
    .strictObject({
      k: z.int().positive(),
      probes: z.int().nonnegative(),
      passed: z.int().nonnegative(),
      coverage_at_k: Share,
      hit_at_k: Share,
    })
    .nullable(),
  /** Against the bundle it is compared with; null without one. */
  changed: z
    .strictObject({
      added: z.int().nonnegative(),
      changed: z.int().nonnegative(),
      removed: z.int().nonnegative(),
    })
    .nullable(),
  /** What the audit tells; null where none was read. */
  audit: z
    .strictObject({
      recalls: z.int().nonnegative(),
      /** Of the last seven days. */
      events: z.int().nonnegative(),
      miss_rate: Share.nullable(),
      alert: z.boolean(),
      saved: Share.nullable(),
    })
    .nullable(),
});

export type AgentSummary = z.infer<typeof AgentSummary>;
