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
 * The points of a graph. A point is the weighted sum of one trigger or phrase of a unit and the unit's long text: its
 * inner product with a query is their part of the unit's score, so that the nearest points belong to the best units.
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

/** Points of a garden's vectors, unit by unit; a unit with neither triggers nor phrases has its long text alone. */
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

function pointsOfUnit({ starts, texts }: Vectors, unit: number): Summand[][] {
  const end = starts[unit + 1] ?? 0;
  const long: Summand[] = texts[unit] === 1 ? [[end - 1, TEXT_PARTS]] : [];
  const points: Summand[][] = [];
  for (let row = starts[unit] ?? 0; row < end - long.length; row++) points.push([[row, BEST_PARTS], ...long]);
  return points.length > 0 || long.length === 0 ? points : [long];
}
