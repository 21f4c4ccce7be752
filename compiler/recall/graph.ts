/** Neighbours of each unit, by number, sorted: an edge counts both ways. */
export type Links = readonly (readonly number[])[];

/** Builds the neighbour lists from directed edges; an edge to oneself is none. */
export function buildLinks(units: number, edges: readonly (readonly [number, number])[]): Links {
  const neighbours = Array.from({ length: units }, () => new Set<number>());
  for (const [a, b] of edges) {
    if (a === b) continue;
    neighbours[a]?.add(b);
    neighbours[b]?.add(a);
  }
  return neighbours.map((set) => [...set].sort((a, b) => a - b));
}

/**
 * How close each unit is to a strong match: the best score of any other unit within two hops, halved per
 * hop (DESIGN §6.7). Continuous: no cut between strong and weak.
 *
 * @param scores each unit's own score in millionths
 */
export function scoreGraph(links: Links, scores: Int32Array): Int32Array {
  const closeness = new Int32Array(scores.length);
  const raise = (unit: number, score: number) => {
    if (score > (closeness[unit] ?? 0)) closeness[unit] = score;
  };
  links.forEach((neighbours, from) => {
    const score = scores[from] ?? 0;
    if (score === 0) return;
    for (const near of neighbours) {
      raise(near, score >> 1);
      for (const far of links[near] ?? []) if (far !== from) raise(far, score >> 2);
    }
  });
  return closeness;
}
