import type { Ranked } from './methods.ts';

/** Results of one method. */
export interface Figures {
  readonly hit1: number;
  readonly hit3: number;
  readonly hit10: number;
  /** Mean of 1 / rank of the wanted unit; 0 where it is not ranked. */
  readonly mrr: number;
  /** How often an answerable question has a higher top score than one that no unit answers. */
  readonly auroc: number;
}

/** Figures of the answers to questions with a wanted unit each, and to those that no unit answers. */
export function figuresOf(
  answers: readonly (Ranked & { readonly wanted: number })[],
  outOfScope: readonly Ranked[],
): Figures {
  const places = answers.map(({ ranking, wanted }) => ranking.indexOf(wanted));
  const within = (k: number) => places.filter((place) => place >= 0 && place < k).length / places.length;
  return {
    hit1: within(1),
    hit3: within(3),
    hit10: within(10),
    mrr: places.reduce((total, place) => total + (place < 0 ? 0 : 1 / (place + 1)), 0) / places.length,
    auroc: areaUnderCurve(
      answers.map(({ top }) => top),
      outOfScope.map(({ top }) => top),
    ),
  };
}

/** Mean of the figures of several samples. */
export function meanFigures(all: readonly Figures[]): Figures {
  const mean = (of: (it: Figures) => number) => all.reduce((total, it) => total + of(it), 0) / all.length;
  return {
    hit1: mean((it) => it.hit1),
    hit3: mean((it) => it.hit3),
    hit10: mean((it) => it.hit10),
    mrr: mean((it) => it.mrr),
    auroc: mean((it) => it.auroc),
  };
}

/** Chance that a positive is above a negative, ties half: exact, from the ranks of both together. */
function areaUnderCurve(positives: readonly number[], negatives: readonly number[]): number {
  const all = [...positives.map((score) => ({ score, positive: true }))];
  all.push(...negatives.map((score) => ({ score, positive: false })));
  all.sort((a, b) => a.score - b.score);
  let ranks = 0;
  for (let from = 0; from < all.length;) {
    let to = from;
    while (to < all.length && all[to]?.score === all[from]?.score) to++;
    // equal scores share the middle of their ranks, which count from 1
    const shared = (from + 1 + to) / 2;
    ranks += shared * all.slice(from, to).filter((it) => it.positive).length;
    from = to;
  }
  const smallest = (positives.length * (positives.length + 1)) / 2;
  return (ranks - smallest) / (positives.length * negatives.length);
}
