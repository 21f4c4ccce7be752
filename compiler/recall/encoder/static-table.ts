/** The content of a static encoder: one int8 row and one scale per token. */
export interface StaticTable {
  readonly dims: number;
  readonly rows: Int8Array;
  readonly scales: Float32Array;
}

/**
 * The vector of a text, bit for bit as the runtime returns it: float32 rounding happens at the same steps. Null if there
 * are no tokens, or the vector is zero.
 *
 * @param ids tokens of the text, each below the number of rows
 * @param limit the maximum number of tokens that are read
 * @param sums room for `dims` numbers, overwritten: a caller of many texts saves an allocation for each
 */
export function lookUp(
  { dims, rows, scales }: StaticTable,
  ids: readonly number[],
  limit: number,
  sums = new Float64Array(dims),
): Float32Array | null {
  const count = Math.min(ids.length, limit);
  sums.fill(0);
  for (let i = 0; i < count; i++) {
    const id = ids[i] ?? 0;
    const scale = scales[id] ?? 0;
    const at = id * dims;
    // no check for `undefined`: all components exist, and this loop is most of what a text costs
    for (let d = 0; d < dims; d++) {
      sums[d] = (sums[d] as number) + Math.fround((rows[at + d] as number) * scale);
    }
  }
  const vector = new Float32Array(dims);
  let length = 0;
  for (let d = 0; d < dims; d++) {
    const x = Math.fround((sums[d] ?? 0) / count);
    vector[d] = x;
    length = Math.fround(length + x * x);
  }
  length = Math.fround(length ** (1 / 2));
  if (!(length > 0)) return null;
  for (let d = 0; d < dims; d++) vector[d] = (vector[d] ?? 0) / length;
  return vector;
}
