import { z } from 'zod';
import { BEST_PARTS, TEXT_PARTS, type Vectors } from '../signals/semantic.ts';

/** The pin of a garden's graph in a bundle. The bounds limit what a forged bundle may ask of native code. */
export const GraphPin = z.strictObject({
  points: z.int().positive(),
  m: z.int().min(2).max(64),
  ef_construction: z.int().positive().max(10_000),
  /** Breadth of a search. */
  ef: z.int().positive().max(10_000),
  /** Share of the exhaustive answer that a search of this breadth finds. */
  recall: z.number().min(0).max(1),
  /** Sample queries it was measured by. */
  queries: z.int().nonnegative(),
});

export type GraphPin = z.infer<typeof GraphPin>;

/**
 * The points of a graph. A point is the weighted sum of one trigger or phrase of a unit and one of its texts: the
 * greater its inner product with a query, the higher their score, so the nearest points belong to the best units.
 */
export interface Points {
  readonly count: number;
  readonly dims: number;
  /** The unit of each point. */
  readonly units: Int32Array;
  /** A point's components, which are integers. */
  readonly at: (point: number) => number[];
}

/** An open graph. `search` returns the points nearest to a query; `breadth` is their number. */
export interface Graph {
  readonly search: (query: Int8Array, breadth: number) => readonly number[];
  /** Ends a graph that is not searched any more; its memory goes to the next one. */
  readonly close: () => void;
}

/** Links per point, and the breadth of the search when a point is added. */
export type GraphShape = Pick<GraphPin, 'm' | 'ef_construction'>;

/** The only port to an approximate nearest neighbour library. */
export interface GraphLibrary {
  /** The graph of these points as a file of a bundle. */
  readonly build: (points: Points, shape: GraphShape) => Buffer;
  /** @throws bundle_unverified if the file is not a graph of these points */
  readonly open: (file: Buffer, points: Points, shape: GraphShape) => Graph;
}

/** An open graph with its parameters and the units of its points. */
export interface AnnPort {
  readonly pin: GraphPin;
  readonly units: Int32Array;
  readonly graph: Graph;
}

/** A row and its weight. */
type Summand = readonly [row: number, parts: number];

/** Points of a garden's vectors, unit by unit; a unit with neither triggers nor phrases has its texts alone. */
export function pointsOf(vectors: Vectors): Points {
  const units: number[] = [];
  const points: (readonly Summand[])[] = [];
  for (let unit = 0; unit < vectors.texts.length; unit++) {
    for (const point of pointsOfUnit(vectors, unit)) {
      units.push(unit);
      points.push(point);
    }
  }
  const { dims, rows } = vectors;
  const at = (point: number) => {
    const sum = new Array<number>(dims).fill(0);
    for (const [row, parts] of points[point] ?? []) {
      for (let d = 0; d < dims; d++) sum[d] = (sum[d] ?? 0) + parts * (rows.data[row * rows.stride + d] ?? 0);
    }
    return sum;
  };
  return { count: units.length, dims, units: Int32Array.from(units), at };
}

/** Each trigger and phrase with the long text, and the title with each window: all pairs would be too many. */
function pointsOfUnit({ starts, phrases, texts }: Vectors, unit: number): Summand[][] {
  const end = starts[unit + 1] ?? 0;
  const text = end - (texts[unit] ?? 0);
  const said = summands(starts[unit] ?? 0, text, BEST_PARTS);
  const [long, ...windows] = summands(text, end, TEXT_PARTS);
  const title = said.at(-1 - (phrases[unit] ?? 0));
  const pairs = said.map((it) => (long ? [it, long] : [it]));
  if (pairs.length === 0 && long) pairs.push([long]);
  return [...pairs, ...windows.map((it) => (title ? [title, it] : [it]))];
}

function summands(from: number, to: number, parts: number): Summand[] {
  return Array.from({ length: to - from }, (_, at) => [from + at, parts]);
}
