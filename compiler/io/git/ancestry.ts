/** The parents of every commit, first parents first; a commit comes after its parents. */
export type Ancestry = ReadonlyMap<string, readonly string[]>;

/**
 * The commits that each merge on the first-parent chain merged: those that it reaches and the chain before it does not.
 * Every commit belongs to one merge, so the cost is linear in the number of commits.
 *
 * @param merges the merges of interest
 * @returns for each merge its commits, oldest first, the merge itself last
 */
export function commitsByMerge(
  ancestry: Ancestry,
  head: string,
  merges: ReadonlySet<string>,
): ReadonlyMap<string, readonly string[]> {
  const owners = ownersOf(ancestry, head);
  const merged = new Map<string, string[]>();
  for (const id of ancestry.keys()) {
    const owner = owners.get(id) ?? '';
    if (!merges.has(owner)) continue;
    const known = merged.get(owner);
    if (known) known.push(id);
    else merged.set(owner, [id]);
  }
  return merged;
}

/** For each commit, the step of the first-parent chain that first reaches it. */
export function ownersOf(ancestry: Ancestry, head: string): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  for (const step of chainTo(ancestry, head)) claim(ancestry, step, owners);
  return owners;
}

/** The first-parent chain, oldest first. */
export function chainTo(ancestry: Ancestry, head: string): string[] {
  const chain: string[] = [];
  for (let at: string | undefined = head; at !== undefined; at = ancestry.get(at)?.[0]) {
    if (!ancestry.has(at)) break;
    chain.push(at);
  }
  return chain.reverse();
}

/** Assigns a step, and all that it reaches and no earlier step does, to the step. */
function claim(ancestry: Ancestry, step: string, owners: Map<string, string>): void {
  const open = [step];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const parents = ancestry.get(id);
    if (parents === undefined || owners.has(id)) continue;
    owners.set(id, step);
    open.push(...parents);
  }
}
