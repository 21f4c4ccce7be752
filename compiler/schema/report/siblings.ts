import { z } from 'zod';
import { Name } from '../uri.ts';

/** A rival counts as close where its score is at least this share of the unit's own. */
export const CLOSE_SHARE = 0.9;

/** How much is told of one unit's rivals, and of one pair. */
export const MAX_RIVALS = 20;
export const MAX_SHARED_WORDS = 8;
export const MAX_CONTESTED = 5;

/** A share, 0..1, to four places. */
const Share = z.number().min(0).max(1);

/**
 * What to do about two units that compete: `same_trigger` where both name one situation, `merge` where each takes
 * most of what is the other's, `reword` where words draw intents to the rival, `set_apart` where they only mean alike.
 */
export const Remedy = z.enum(['same_trigger', 'merge', 'reword', 'set_apart']);

/** An intent of a unit that a rival takes, or nearly. */
const Contested = z.strictObject({
  intent: z.string(),
  /** 1-based places by unlifted ranks; null where the unit is not ranked. */
  own_rank: z.int().positive().nullable(),
  rival_rank: z.int().positive(),
});

/** How one unit competes for what another is asked for. */
export const Rivalry = z.strictObject({
  unit: Name,
  rival: Name,
  /** Intents of the unit that the rival outranks it for, and those where it is close behind. */
  outranks: z.int().nonnegative(),
  close: z.int().nonnegative(),
  /** The share of the unit's intents that the rival outranks it for. */
  steals: Share,
  /** Words that triggers, description or name of both have, those that weigh most first. */
  shared_words: z.array(z.string()).max(MAX_SHARED_WORDS),
  /** Words of the contested intents that speak more for the rival than for the unit. */
  drawn_by: z.array(z.string()).max(MAX_SHARED_WORDS),
  contested: z.array(Contested).max(MAX_CONTESTED),
  remedy: Remedy,
});

/** A row of the confusion matrix: what one unit was asked for, and how often it came first. */
const AskedUnit = z.strictObject({
  name: Name,
  asked: z.int().nonnegative(),
  first: z.int().nonnegative(),
  /** Rivals that are not among those told. */
  more_rivals: z.int().nonnegative(),
});

/**
 * The units of a garden that compete, by unlifted ranks: a sparse confusion matrix. Units are sorted by name,
 * rivalries by how much they steal.
 */
export const SiblingReport = z.strictObject({
  units: z.array(AskedUnit),
  rivalries: z.array(Rivalry),
});

export type Remedy = z.infer<typeof Remedy>;
export type Rivalry = z.infer<typeof Rivalry>;
type AskedUnit = z.infer<typeof AskedUnit>;
export type SiblingReport = z.infer<typeof SiblingReport>;
