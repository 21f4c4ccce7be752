import { z } from 'zod';
import { Name } from '../uri.ts';

/** Words that would win a lost probe: what to add to one unit's front matter. Nothing is ever written by itself. */
export const Suggestion = z.strictObject({
  unit: Name,
  /** Whether other agents read the unit too; their probes were asked as well. */
  shared: z.boolean(),
  intents: z.array(z.string()),
  keywords: z.array(z.string()),
  aliases: z.array(Name),
  /** The probe that is won with it, and where the unit ranks without and with it. */
  probe: z.string(),
  rank_before: z.int().positive().nullable(),
  rank_after: z.int().positive(),
});

/**
 * Why nothing is suggested for a lost probe: `forbidden_comes` where words could only bring more units up,
 * `nothing_wins`, or `others_lost` where what would win it loses something else.
 */
export const UnsolvedReason = z.enum(['forbidden_comes', 'nothing_wins', 'others_lost']);

export const UnsolvedProbe = z.strictObject({
  probe: z.string(),
  /** The unit that does not come, or must not. */
  unit: Name,
  reason: UnsolvedReason,
  /** Wordings that were tried. */
  tried: z.int().nonnegative(),
  /** Probes, and units that the coverage gate would refuse, that the best attempt would lose. */
  costs: z.array(z.string()),
});

export type Suggestion = z.infer<typeof Suggestion>;
export type UnsolvedProbe = z.infer<typeof UnsolvedProbe>;
