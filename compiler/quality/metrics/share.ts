/** A share to four places; null if `all` is 0. */
export function share(part: number, all: number): number | null {
  return all === 0 ? null : Math.round((part / all) * 10_000) / 10_000;
}

/** The same, but 0 if `all` is 0. */
export function foundShare(part: number, all: number): number {
  return share(part, all) ?? 0;
}
