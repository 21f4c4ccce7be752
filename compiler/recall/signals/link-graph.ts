/** Closeness is halved with each hop, for two hops. */
export const CONSTANTS = { hops: 2, per_hop: 0.5 };

/** Sorted neighbours of each unit by number; those of unit u are in `targets` from `starts[u]` to `starts[u + 1]`. */
export interface Links {
  readonly starts: Int32Array;
  readonly targets: Int32Array;
}

/** Builds the neighbour lists from directed edges. An edge counts in both directions; loops are ignored. */
export function buildLinks(units: number, edges: readonly (readonly [number, number])[]): Links {
  const neighbours = Array.from({ length: units }, () => new Set<number>());
  for (const [a, b] of edges) {
    if (a === b) continue;
    neighbours[a]?.add(b);
    neighbours[b]?.add(a);
  }
  const starts = new Int32Array(units + 1);
  neighbours.forEach((set, unit) => (starts[unit + 1] = (starts[unit] ?? 0) + set.size));
  const targets = Int32Array.from(neighbours.flatMap((set) => [...set].sort((a, b) => a - b)));
  return { starts, targets };
}

/** The units that can be reached from `from` in at most `hops` hops, including `from`. */
export function reach({ starts, targets }: Links, from: Iterable<number>, hops: number): Set<number> {
  const reached = new Set(from);
  let edge = [...reached];
  for (let hop = 0; hop < hops; hop++) {
    const next: number[] = [];
    for (const unit of edge) {
      for (const target of targets.subarray(starts[unit], starts[unit + 1])) {
        if (!reached.has(target)) next.push(target);
        reached.add(target);
      }
    }
    edge = next;
  }
  return reached;
}

/**
 * How close units are to a strong match: the best score of any other unit within two hops, halved per hop
 * (DESIGN §6.7). Continuous: no cut between strong and weak.
 *
 * @param scores each unit's own score in millionths
 * @param units the units to compute; the others keep zero
 */
export function scoreGraph(links: Links, scores: Int32Array, units: Iterable<number> = scores.keys()): Int32Array {
  const { starts, targets } = links;
  const closeness = new Int32Array(scores.length);
  if (targets.length === 0) return closeness;
  const best = bestNeighbours(links, scores);
  for (const unit of units) {
    const own = scores[unit] ?? 0;
    const end = starts[unit + 1] ?? 0;
    let far = 0;
    for (let at = starts[unit] ?? 0; at < end; at++) {
      const near = targets[at] ?? 0;
      // two hops may lead back to the unit itself, so if its score is the neighbour's best, take the second best
      far = Math.max(far, best.first(near) === own ? best.second(near) : best.first(near));
    }
    closeness[unit] = Math.max(best.first(unit) >> 1, far >> 2);
  }
  return closeness;
}

const UNKNOWN = -1;

/** The two highest scores among a unit's neighbours, computed on first use. */
function bestNeighbours({ starts, targets }: Links, scores: Int32Array) {
  const firsts = new Int32Array(scores.length).fill(UNKNOWN);
  const seconds = new Int32Array(scores.length);
  const look = (unit: number) => {
    const end = starts[unit + 1] ?? 0;
    let first = 0;
    let second = 0;
    for (let at = starts[unit] ?? 0; at < end; at++) {
      const score = scores[targets[at] ?? 0] ?? 0;
      second = Math.max(second, Math.min(first, score));
      first = Math.max(first, score);
    }
    firsts[unit] = first;
    seconds[unit] = second;
    return first;
  };
  const first = (unit: number) => (firsts[unit] === UNKNOWN ? look(unit) : (firsts[unit] ?? 0));
  // valid only after `first` of the same unit
  const second = (unit: number) => seconds[unit] ?? 0;
  return { first, second };
}
