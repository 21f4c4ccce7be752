import { z } from 'zod';
import { Rival } from '../bundle/coverage.ts';
import { Name } from '../uri.ts';

/** Words for one unit's front matter that would make a failed probe pass. They are never written automatically. */
export const Suggestion = z.strictObject({
  unit: Name,
  /** Whether other agents read the unit too; their probes were run as well. */
  shared: z.boolean(),
  intents: z.array(z.string()),
  keywords: z.array(z.string()),
  aliases: z.array(Name),
  /** The probe that passes with it, and the rank of the unit without and with it. */
  probe: z.string(),
  rank_before: z.int().positive().nullable(),
  rank_after: z.int().positive(),
});

/**
 * Why there is no suggestion for a failed probe: `forbidden_comes` if a forbidden unit comes, which added words cannot
 * prevent; `nothing_wins` if no words make it pass; `others_lost` if the words that make it pass break another probe.
 */
export const UnsolvedReason = z.enum(['forbidden_comes', 'nothing_wins', 'others_lost']);

export const UnsolvedProbe = z.strictObject({
  probe: z.string(),
  /** The required unit that does not come, or the forbidden one that does. */
  unit: Name,
  reason: UnsolvedReason,
  /** Number of wordings that were tried. */
  tried: z.int().nonnegative(),
  /** Probes that the best attempt would break, and units that would fail the coverage gate. */
  costs: z.array(z.string()),
});

/** A unit that is hard to find without its triggers, and words that raise its findability; none if no word does. */
export const HardToFind = z.strictObject({
  unit: Name,
  shared: z.boolean(),
  /** Words of its triggers that its text lacks: say in the description what they are about. */
  description: z.array(z.string()),
  /** Words of its text that its triggers lack. */
  keywords: z.array(z.string()),
  findability_before: z.number().min(0).max(1),
  findability_after: z.number().min(0).max(1),
  /** The units that come near or before it now. */
  rivals: z.array(Rival),
});

export type HardToFind = z.infer<typeof HardToFind>;
export type Suggestion = z.infer<typeof Suggestion>;
export type UnsolvedProbe = z.infer<typeof UnsolvedProbe>;
