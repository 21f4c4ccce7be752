import { z } from 'zod';
import { Name } from '../uri.ts';

/** A rival counts as close if its score is at least this share of the unit's own. */
export const CLOSE_SHARE = 0.9;

/** Maximum numbers of rivals of a unit, and of details of one pair, that are reported. */
export const MAX_RIVALS = 20;
export const MAX_SHARED_WORDS = 8;
export const MAX_CONTESTED = 5;

/** A share, 0..1, to four places. */
const Share = z.number().min(0).max(1);

/**
 * Advice for two units that compete: `same_trigger` if both name one situation, `merge` if each takes most intents of
 * the other, `reword` if certain words draw intents to the rival, `set_apart` if only their meanings are similar.
 */
export const Remedy = z.enum(['same_trigger', 'merge', 'reword', 'set_apart']);

/** An intent of a unit for which a rival ranks higher, or nearly as high. */
const Contested = z.strictObject({
  intent: z.string(),
  /** 1-based ranks without boost; null if the unit is not ranked. */
  own_rank: z.int().positive().nullable(),
  rival_rank: z.int().positive(),
});

/** Competition of a rival for the intents of a unit. */
export const Rivalry = z.strictObject({
  unit: Name,
  rival: Name,
  /** Intents of the unit for which the rival ranks higher, and those for which it is close. */
  outranks: z.int().nonnegative(),
  close: z.int().nonnegative(),
  /** The share of the unit's intents for which the rival ranks higher. */
  steals: Share,
  /** Words in triggers, description or name of both units, by descending weight. */
  shared_words: z.array(z.string()).max(MAX_SHARED_WORDS),
  /** Words of the contested intents that score higher for the rival than for the unit. */
  drawn_by: z.array(z.string()).max(MAX_SHARED_WORDS),
  contested: z.array(Contested).max(MAX_CONTESTED),
  remedy: Remedy,
});

/** A row of the confusion matrix: how many intents of a unit were tried, and how often it came first. */
const AskedUnit = z.strictObject({
  name: Name,
  asked: z.int().nonnegative(),
  first: z.int().nonnegative(),
  /** Number of further rivals. */
  more_rivals: z.int().nonnegative(),
});

/**
 * The competing units of a garden, by ranks without boost: a sparse confusion matrix. Units are sorted by name,
 * rivalries by the share of intents that the rival takes.
 */
export const SiblingReport = z.strictObject({
  units: z.array(AskedUnit),
  rivalries: z.array(Rivalry),
});

export type Remedy = z.infer<typeof Remedy>;
export type Rivalry = z.infer<typeof Rivalry>;
type AskedUnit = z.infer<typeof AskedUnit>;
export type SiblingReport = z.infer<typeof SiblingReport>;
