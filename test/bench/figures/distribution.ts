/** The value that a share of all does not exceed; 0 of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/** The largest counts, largest first, ties by name. */
export function largest(counts: ReadonlyMap<string, number>, most: number): [string, number][] {
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, most);
}

/** How often each value occurs. */
export function tallied(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const it of values) counts.set(it, (counts.get(it) ?? 0) + 1);
  return counts;
}
