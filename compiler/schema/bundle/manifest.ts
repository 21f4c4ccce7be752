import { z } from 'zod';

/** §21.2.1: the limit of a manifest in cl100k tokens. */
export const MANIFEST_TOKEN_BUDGET = 1000;

/** §21.3.3 S4. */
export const MAX_GUARANTEED = 5;

/** §21.1.5: more wake reasons than this need an approval. */
export const MAX_TASK_TYPES = 2;

/** §21.2.2; members at their default are left out, and of the triggers all but a few intents (DESIGN §6.5). */
export const ManifestEntry = z.strictObject({
  name: z.string(),
  description: z.string(),
  required_by_task_types: z.array(z.string()).optional(),
  guarantee_load: z.literal(true).optional(),
  load_triggers: z.strictObject({ intents: z.array(z.string()) }).optional(),
  fact_uri: z.string().optional(),
  path: z.string().optional(),
});

/** §21.8.2: the list of units that an agent sees. `token_count` counts this document itself. */
export const Manifest = z.strictObject({
  manifest_version: z.string(),
  fact_uri: z.string(),
  token_count: z.int().nonnegative(),
  entries: z.array(ManifestEntry),
  last_updated_at: z.string(),
  /** Number of unlisted units that recall can find. */
  unlisted: z.int().positive().optional(),
});

/** Numbers of units that recall finds for an agent, and of those that its manifest lists. */
export const ListedUnits = z.strictObject({
  agent: z.string(),
  listed: z.int().nonnegative(),
  units: z.int().nonnegative(),
  /** Those of which the coverage gate has nothing to judge. */
  untriggered: z.array(z.string()),
});

/** Counts what a manifest lists, and all that recall finds. */
export function countListed(
  agent: string,
  { entries, unlisted = 0 }: Manifest,
  untriggered: readonly string[],
): ListedUnits {
  return { agent, listed: entries.length, units: entries.length + unlisted, untriggered: [...untriggered] };
}

export type ListedUnits = z.infer<typeof ListedUnits>;
export type ManifestEntry = z.infer<typeof ManifestEntry>;
export type Manifest = z.infer<typeof Manifest>;
