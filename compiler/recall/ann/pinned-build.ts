import { createHash } from 'node:crypto';
import type { GraphLibrary, Points } from './ann-port.ts';
import { SHAPE } from './build-ann-graph.ts';

/** Enough points for three layers, and so few values that many distances are equal. */
const COUNT = 128;
const DIMS = 4;
const VALUES = 7;

/** sha256 of the probe as hnswlib-node builds it with the standard library of GCC. */
const PINNED_GRAPH = '8de18af5c3e1784306a202ea13d496c024500f12c71ef68c582a018f2626a462';

/**
 * Whether a build of the library makes the pinned graph. It draws the level of each point with the generator of its
 * C++ standard library, and the order of equally near points is that of its heap: other standard libraries give other
 * graphs. Levels and links of a small probe show which one this is.
 */
export function drawsPinnedGraph(library: GraphLibrary): boolean {
  const known = judged.get(library) ?? digestOf(library) === PINNED_GRAPH;
  judged.set(library, known);
  return known;
}

/** A library is the same as long as the process runs. */
const judged = new WeakMap<GraphLibrary, boolean>();

function digestOf(library: GraphLibrary): string | null {
  try {
    return createHash('sha256').update(library.build(probe(), SHAPE)).digest('hex');
  } catch {
    // it writes another format, or cannot build a graph at all
    return null;
  }
}

/** Points whose components are whole numbers around zero. */
function probe(): Points {
  const at = (point: number) =>
    Array.from({ length: DIMS }, (_, d) => ((point * 31 + d * 17 + ((point * point) >> (2 * d))) % VALUES) - 3);
  return { count: COUNT, dims: DIMS, units: Int32Array.from({ length: COUNT }, (_, unit) => unit), at };
}
