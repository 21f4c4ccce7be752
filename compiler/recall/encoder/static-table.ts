/** The content of a static encoder: one int8 row and one scale per token. */
export interface StaticTable {
  readonly dims: number;
  readonly rows: Int8Array;
  readonly scales: Float32Array;
}

/** The vectors of tokens, each a row times its scale; room for the sums of a text, and zeros for no token. */
export interface TokenVectors {
  readonly dims: number;
  readonly of: (id: number) => Float64Array;
  readonly sums: Float64Array;
  readonly none: Float64Array;
}

/** Maximum number of kept vectors, 8 MB with 256 components; a full store is cleared, so no text can fill memory. */
const MOST_KEPT = 4096;

/**
 * Keeps the vectors of requested tokens: a few thousand of them make up most of every text, and adding is the main
 * cost.
 */
export function tokenVectors({ dims, rows, scales }: StaticTable): TokenVectors {
  const known = new Map<number, Float64Array>();
  const compute = (id: number) => {
    const scale = scales[id] ?? 0;
    const vector = new Float64Array(dims);
    // as the runtime rounds: each product is a float32
    for (let d = 0; d < dims; d++) vector[d] = Math.fround((rows[id * dims + d] as number) * scale);
    if (known.size >= MOST_KEPT) known.clear();
    known.set(id, vector);
    return vector;
  };
  const of = (id: number) => known.get(id) ?? compute(id);
  return { dims, of, sums: new Float64Array(dims), none: new Float64Array(dims) };
}

/**
 * The vector of a text, bit for bit as the runtime returns it: float32 rounding happens at the same steps. Null if
 * there are no tokens, or the vector is zero.
 *
 * @param ids tokens of the text, each below the number of rows
 * @param limit the maximum number of tokens that are read
 */
export function lookUp(vectors: TokenVectors, ids: readonly number[], limit: number): Float32Array | null {
  const { dims, of, sums, none } = vectors;
  const count = Math.min(ids.length, limit);
  // values beyond the last token add zeros, which change no sum
  const at = (i: number) => (i < count ? of(ids[i] as number) : none);
  sums.fill(0);
  // four at a time, so that each sum is read and written once for four tokens; they are added in their order
  for (let i = 0; i < count; i += 4) {
    const first = at(i);
    const second = at(i + 1);
    const third = at(i + 2);
    const fourth = at(i + 3);
    // no check for `undefined`: all components exist, and this loop is most of what a text costs
    for (let d = 0; d < dims; d++) {
      const two = (sums[d] as number) + (first[d] as number) + (second[d] as number);
      sums[d] = two + (third[d] as number) + (fourth[d] as number);
    }
  }
  const vector = new Float32Array(dims);
  let length = 0;
  for (let d = 0; d < dims; d++) {
    const x = Math.fround((sums[d] as number) / count);
    vector[d] = x;
    length = Math.fround(length + x * x);
  }
  length = Math.fround(length ** (1 / 2));
  if (!(length > 0)) return null;
  for (let d = 0; d < dims; d++) vector[d] = (vector[d] as number) / length;
  return vector;
}
