/** Spearman's ρ of two lists of figures for the same things: the correlation of their ranks, equal ones sharing the mean. */
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
