import { SCALE } from '../../recall/signals/lexical.ts';
import { MAX_OUTRANKED, type Findability } from '../../schema/bundle/coverage.ts';
import { foundShare } from '../metrics/share.ts';

/** Another unit with its score, in millionths. */
export interface ScoredRival {
  readonly name: string;
  readonly score: number;
}

/** A unit's score for a question without the trigger that the question comes from, and the best other units. */
export interface LeftOutAnswer {
  /** In millionths. */
  readonly own: number;
  /** Best first. */
  readonly rivals: readonly ScoredRival[];
  /** The scores of the unit's own text and of the best other texts alone, without any trigger; best first. */
  readonly texts: { readonly own: number; readonly others: readonly number[] };
}

/** The difference of scores, of 1, that makes a lead nearly sure: chosen on one half of CLINC150 (FIGURES.md). */
const WIDTH = 0.05;

/** A unit is found where it is before this one of the others. */
const BEATEN = 3;

/** Certainty that one score is above another, 0..1; any score is above a unit that is missing. */
function lead(score: number, other: number | undefined): number {
  if (other === undefined && score > 0) return 1;
  return 1 / (1 + Math.exp(-(score - (other ?? 0)) / SCALE / WIDTH));
}

/**
 * How surely a unit is found by words that are not among its triggers: the mean lead over the third best other unit,
 * half by all that is left without the trigger, half by the unit's text alone, which no trigger can improve. A share of
 * hits would say the same of a unit that is found just so and of one that nothing comes near.
 */
export function findabilityOf(answers: readonly LeftOutAnswer[]): Findability | null {
  if (answers.length === 0) return null;
  const sum = answers.reduce((all, { own, rivals, texts }) => {
    const left = lead(own, rivals[BEATEN - 1]?.score);
    return all + (left + lead(texts.own, texts.others[BEATEN - 1])) / 2;
  }, 0);
  return { score: foundShare(sum, answers.length), paraphrases: answers.length, rivals: rivalsIn(answers) };
}

/** The units that come nearest to the unit or before it, over all questions. */
function rivalsIn(answers: readonly LeftOutAnswer[]): Findability['rivals'] {
  const tallies = new Map<string, { near: number; ahead: number }>();
  for (const { own, rivals } of answers) {
    for (const { name, score } of rivals) {
      const tally = tallies.get(name) ?? { near: 0, ahead: 0 };
      tallies.set(name, { near: tally.near + lead(score, own), ahead: tally.ahead + (score > own ? 1 : 0) });
    }
  }
  const sorted = [...tallies].sort(([a, x], [b, y]) => y.near - x.near || (a < b ? -1 : 1));
  return sorted.slice(0, MAX_OUTRANKED).map(([name, { ahead }]) => ({ name, ahead }));
}
