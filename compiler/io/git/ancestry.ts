/** The parents of every commit, first parents first; a commit comes after its parents. */
export type Ancestry = ReadonlyMap<string, readonly string[]>;

/**
 * What merges of the first-parent chain bring in: the commits that one reaches and the chain before it does not.
 * Every commit is brought once, so that the cost goes with their number, however they are merged.
 *
 * @param merges the merges that are asked for
 * @returns by merge its commits, oldest first, itself last
 */
export function broughtIn(
  ancestry: Ancestry,
  head: string,
  merges: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string>();
  for (const step of chainTo(ancestry, head)) claim(ancestry, step, owners);
  const brought = new Map<string, string[]>();
  for (const id of ancestry.keys()) {
    const owner = owners.get(id) ?? '';
    if (!merges.has(owner)) continue;
    const known = brought.get(owner);
    if (known) known.push(id);
    else brought.set(owner, [id]);
  }
  return brought;
}

/** The first-parent chain, oldest first. */
function chainTo(ancestry: Ancestry, head: string): string[] {
  const chain: string[] = [];
  for (let at: string | undefined = head; at !== undefined; at = ancestry.get(at)?.[0]) {
    if (!ancestry.has(at)) break;
    chain.push(at);
  }
  return chain.reverse();
}

/** Marks a step, and all that it reaches and no step before it did, as brought by it. */
function claim(ancestry: Ancestry, step: string, owners: Map<string, string>): void {
  const open = [step];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const parents = ancestry.get(id);
    if (parents === undefined || owners.has(id)) continue;
    owners.set(id, step);
    open.push(...parents);
  }
}
