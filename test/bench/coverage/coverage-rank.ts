import { createPlacer } from '../../../compiler/quality/placement.ts';
import type { RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import { quantise, type Encoder } from '../../../compiler/recall/signals/semantic.ts';
import type { Task } from '../recall/clinc.ts';

export const NOW = '2026-01-01T00:00:00Z';

export const mean = (figures: readonly number[]) => figures.reduce((all, it) => all + it, 0) / figures.length;

/** How often the real utterances of each unit find it among the first three. */
export async function hitsOf(garden: RecallGarden, { units, asked }: Task, encoder: Encoder | null): Promise<number[]> {
  const placing = createPlacer(garden, NOW);
  const vectors =
    (await encoder?.encode(
      asked.map(({ text }) => text),
      'query',
    )) ?? [];
  const found = units.map((): number[] => []);
  asked.forEach(({ text, wanted }, i) => {
    const query = garden.index.vectors && quantise(vectors[i] ?? null, garden.index.vectors.mean);
    const { rank } = placing.place(text, query, units[wanted]?.name ?? '');
    found[wanted]?.push(rank !== null && rank <= 3 ? 1 : 0);
  });
  return found.map(mean);
}

/** Spearman's ρ of two lists of figures of the same things: the correlation of ranks, equal ones sharing the mean. */
export function spearman(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranksOf(a), ranksOf(b)];
  const mean = (a.length + 1) / 2;
  const sum = (of: (i: number) => number) => a.reduce((all, _, i) => all + of(i), 0);
  const dx = (i: number) => (x[i] ?? 0) - mean;
  const dy = (i: number) => (y[i] ?? 0) - mean;
  return sum((i) => dx(i) * dy(i)) / Math.sqrt(sum((i) => dx(i) ** 2) * sum((i) => dy(i) ** 2));
}

function ranksOf(figures: readonly number[]): number[] {
  const order = figures.map((_, i) => i).sort((i, j) => (figures[i] ?? 0) - (figures[j] ?? 0));
  const ranks = new Array<number>(figures.length).fill(0);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to < order.length && figures[order[to] ?? 0] === figures[order[from] ?? 0]) to++;
    for (const i of order.slice(from, to)) ranks[i] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}
