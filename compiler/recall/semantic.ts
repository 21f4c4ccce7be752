import { SCALE } from './lexical.ts';

/** Models are told apart what asks and what is asked for. */
export type TextRole = 'query' | 'passage';

/** Turns texts into vectors; the only port to a model. Texts without meaning to it answer null. */
export interface Encoder {
  readonly dims: number;
  readonly encode: (texts: readonly string[], role: TextRole) => Promise<readonly (Float32Array | null)[]>;
}

/** int8 per dimension; a unit vector's components times this. */
const INT8 = 127;

/** A garden's vectors: `rows[i]` says which unit row i of `data` belongs to. */
export interface Vectors {
  readonly dims: number;
  readonly rows: readonly { readonly unit: number; readonly long: boolean }[];
  readonly data: Int8Array;
  /** Subtracted from every vector before it was rounded, and from a query before it is. */
  readonly mean: readonly number[];
}

/** Below this many rows a mean says nothing. */
const MIN_ROWS_FOR_MEAN = 40;
const MEAN_PRECISION = 1_000_000;

/** Rounds the mean, so that every reader subtracts the same numbers. */
export function meanOf(vectors: readonly Float32Array[], dims: number): number[] {
  const mean = new Array<number>(dims).fill(0);
  if (vectors.length < MIN_ROWS_FOR_MEAN) return mean;
  for (const vector of vectors) vector.forEach((x, i) => (mean[i] = (mean[i] ?? 0) + x));
  return mean.map((x) => Math.round((x / vectors.length) * MEAN_PRECISION) / MEAN_PRECISION);
}

/** Centres, normalises and rounds a vector to int8; null where nothing is left of it. */
export function quantise(vector: Float32Array | null, mean: readonly number[]): Int8Array | null {
  if (vector === null) return null;
  const centred = Float64Array.from(vector, (x, i) => x - (mean[i] ?? 0));
  const length = Math.sqrt(centred.reduce((total, x) => total + x * x, 0));
  if (!Number.isFinite(length) || length < 1e-6) return null;
  return Int8Array.from(centred, (x) => Math.max(-INT8, Math.min(INT8, Math.round((x / length) * INT8))));
}

/**
 * Half the best phrase, half the long text, each a cosine cut at zero, in millionths (DESIGN §6.7).
 * Integer arithmetic throughout: the same on any processor.
 */
export function scoreSemantic(vectors: Vectors, query: Int8Array | null, units: number): Int32Array {
  const best = new Int32Array(units);
  const long = new Int32Array(units);
  if (query === null) return best;
  const { dims, data, rows } = vectors;
  for (let r = 0; r < rows.length; r++) {
    let dot = 0;
    for (let d = 0, at = r * dims; d < dims; d++, at++) dot += (data[at] ?? 0) * (query[d] ?? 0);
    const row = rows[r];
    if (row === undefined || dot <= 0) continue;
    const target = row.long ? long : best;
    if (dot > (target[row.unit] ?? 0)) target[row.unit] = dot;
  }
  const full = 2 * INT8 * INT8;
  for (let u = 0; u < units; u++) {
    best[u] = Math.min(SCALE, Math.floor((((best[u] ?? 0) + (long[u] ?? 0)) * SCALE) / full));
  }
  return best;
}
