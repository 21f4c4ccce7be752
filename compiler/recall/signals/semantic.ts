import { SCALE } from './lexical.ts';
import type { Rows } from './vector-scan.ts';

/** Whether a text is a query or an indexed passage: some models encode these differently. */
export type TextKind = 'query' | 'passage';

/** Encodes texts as vectors; the only port to a model. A text without known words is null. */
export interface Encoder {
  readonly dims: number;
  readonly encode: (texts: readonly string[], role: TextKind) => Promise<readonly (Float32Array | null)[]>;
}

/** The factor from components of a vector of length 1 to int8. */
export const INT8 = 127;

/** The weights of the best of a unit's triggers and phrases, and of the best of its texts. */
export const BEST_PARTS = 2;
export const TEXT_PARTS = 3;

/** The deduction from the cosine of a unit's best row for each time that phrases double its rows. */
export const DISCOUNT = 0.025;

/**
 * A garden's vectors: unit u has the rows from `starts[u]` to `starts[u + 1]`: its triggers and its title, its phrases,
 * its long text and the windows of its content. The rows after those of all units are everyday prompts.
 */
export interface Vectors {
  readonly dims: number;
  readonly starts: Int32Array;
  /** Number of phrases of a unit, and their cost for its best row, as an inner product of int8 vectors. */
  readonly phrases: Uint8Array;
  readonly discounts: Uint16Array;
  /** Number of a unit's long text and of the windows of its content. */
  readonly texts: Uint8Array;
  readonly rows: Rows;
  /** Subtracted from every vector and every query before rounding. */
  readonly mean: ArrayLike<number>;
}

/** With fewer rows than this, a mean is not meaningful. */
const MIN_ROWS_FOR_MEAN = 40;
const MEAN_PRECISION = 1_000_000;

/** The rounded mean, so that every reader subtracts the same numbers; zeros for few vectors. */
export function meanOf(vectors: readonly Float32Array[], dims: number): number[] {
  const sums = new Float64Array(dims);
  if (vectors.length < MIN_ROWS_FOR_MEAN) return [...sums];
  for (const vector of vectors) {
    for (let i = 0; i < dims; i++) sums[i] = (sums[i] ?? 0) + (vector[i] ?? 0);
  }
  return Array.from(sums, (x) => Math.round((x / vectors.length) * MEAN_PRECISION) / MEAN_PRECISION);
}

/** Room for one centred vector: a new one for each would take as long as centring it. */
let centred = new Float64Array(0);

/** Centres, normalises and rounds a vector to int8; null if its length is almost zero. */
export function quantise(vector: Float32Array | null, mean: ArrayLike<number>): Int8Array | null {
  if (vector === null) return null;
  if (centred.length < vector.length) centred = new Float64Array(vector.length);
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const x = (vector[i] as number) - (mean[i] ?? 0);
    centred[i] = x;
    squares += x * x;
  }
  const length = Math.sqrt(squares);
  if (!Number.isFinite(length) || length < 1e-6) return null;
  const rounded = new Int8Array(vector.length);
  // no component is longer than the vector, so none leaves the range
  for (let i = 0; i < rounded.length; i++) rounded[i] = Math.round(((centred[i] as number) / length) * INT8);
  return rounded;
}

/** The inner product of two vectors of int8. */
export function innerProduct(a: Int8Array, b: Int8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}

/** Every unit's semantic score for a query. */
export function scoreSemantic(vectors: Vectors, query: Int8Array | null): Int32Array {
  const scores = new Int32Array(vectors.starts.length - 1);
  if (query === null) return scores;
  const dots = vectors.rows.scannerFor(query)(0, vectors.starts.at(-1) ?? 0);
  for (let unit = 0; unit < scores.length; unit++) scores[unit] = scoreUnit(vectors, dots, unit);
  return scores;
}

/** Row of each unit that is nearest to a query: a trigger or the title, or a phrase; null if none is near. */
export function nearestKinds(vectors: Vectors, query: Int8Array | null): ('trigger' | 'phrase' | null)[] {
  const { starts, phrases, texts, rows } = vectors;
  if (query === null) return [];
  const dots = rows.scannerFor(query)(0, starts.at(-1) ?? 0);
  return Array.from(texts, (text, unit) => {
    const own = dots.subarray(starts[unit], (starts[unit + 1] ?? 0) - text);
    const best = own.reduce((most, it) => Math.max(most, it), 0);
    if (best === 0) return null;
    return own.indexOf(best) < own.length - (phrases[unit] ?? 0) ? 'trigger' : 'phrase';
  });
}

/** Writes the semantic scores of some units into `scores`. */
export function scoreSemanticOf(vectors: Vectors, query: Int8Array, units: Iterable<number>, scores: Int32Array): void {
  const scan = vectors.rows.scannerFor(query);
  const { starts } = vectors;
  for (const unit of units) {
    scores[unit] = scoreUnit(vectors, scan(starts[unit] ?? 0, starts[unit + 1] ?? 0), unit);
  }
}

/**
 * Two parts the best trigger or phrase and three parts the best text, each a cosine of at least zero, to the power of
 * 1.5, in millionths (DESIGN §6.7). Integers and a square root, which every processor rounds alike.
 */
function scoreUnit({ starts, discounts, texts }: Vectors, dots: Int32Array, unit: number): number {
  const end = starts[unit + 1] ?? 0;
  const text = end - (texts[unit] ?? 0);
  const best = Math.max(0, highest(dots, starts[unit] ?? 0, text) - (discounts[unit] ?? 0));
  const parts = BEST_PARTS * best + TEXT_PARTS * highest(dots, text, end);
  const mean = Math.min(1, parts / ((BEST_PARTS + TEXT_PARTS) * INT8 * INT8));
  return Math.floor(SCALE * mean * Math.sqrt(mean));
}

/** The highest of some numbers, at least zero. */
export function highest(dots: Int32Array, from = 0, to = dots.length): number {
  let most = 0;
  for (let at = from; at < to; at++) most = Math.max(most, dots[at] ?? 0);
  return most;
}

/**
 * The best of many rows is near to any question: it grows with the logarithm of their number. A unit must not be found
 * by how many phrases it has, so what they add by their number alone is taken off (README). Without phrases that is
 * nothing.
 *
 * @param triggers its rows without phrases
 */
export function discountOf(triggers: number, phrases: number): number {
  const own = Math.max(1, triggers);
  return Math.round(DISCOUNT * INT8 * INT8 * Math.log2((own + phrases) / own));
}
