/** A share to four places; null of nothing. */
export function share(part: number, all: number): number | null {
  return all === 0 ? null : Math.round((part / all) * 10_000) / 10_000;
}

/** The same, where nothing found of nothing is nothing. */
export function foundShare(part: number, all: number): number {
  return share(part, all) ?? 0;
}
