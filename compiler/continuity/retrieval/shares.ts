/** The need of a capsule: at least `least` to be there at all, at most `most` to be there whole. In tokens. */
export interface Need {
  readonly least: number;
  readonly most: number;
}

/**
 * Divides a budget among capsules, the most salient first. First each gets the least that it needs, in their order; the
 * rest is divided evenly, and none gets more than it can use. No share shrinks as the budget grows: one that did would
 * take away from an agent what a smaller budget gave it.
 */
export function sharesOf(needs: readonly Need[], budget: number): number[] {
  const shares = needs.map(() => 0);
  let left = budget;
  for (const [at, { least }] of needs.entries()) {
    shares[at] = Math.min(least, left);
    left -= shares[at];
  }
  for (let open = unfilled(shares, needs); open.length > 0 && left > 0; open = unfilled(shares, needs)) {
    const each = Math.floor(left / open.length);
    // the remainder goes to the first ones, one token each
    for (const [place, at] of open.entries()) {
      const given = Math.min(each + (place < left - each * open.length ? 1 : 0), room(shares, needs, at));
      shares[at] = (shares[at] ?? 0) + given;
    }
    left = budget - shares.reduce((sum, it) => sum + it, 0);
  }
  return shares;
}

function unfilled(shares: readonly number[], needs: readonly Need[]): number[] {
  return [...needs.keys()].filter((at) => room(shares, needs, at) > 0);
}

function room(shares: readonly number[], needs: readonly Need[], at: number): number {
  return (needs[at]?.most ?? 0) - (shares[at] ?? 0);
}
