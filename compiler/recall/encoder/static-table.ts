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
  const startOf = (i: number) => (i < count ? (ids[i] ?? 0) * dims : 0);
  // what is beyond the last token adds zeros, which change no sum
  const scaleOf = (i: number) => (i < count ? (scales[ids[i] ?? 0] ?? 0) : 0);
  sums.fill(0);
  // four at a time, so that each sum is read and written once for four tokens; they are added in their order
  for (let i = 0; i < count; i += 4) {
    const [start1, start2, start3, start4] = [startOf(i), startOf(i + 1), startOf(i + 2), startOf(i + 3)];
    const [scale1, scale2, scale3, scale4] = [scaleOf(i), scaleOf(i + 1), scaleOf(i + 2), scaleOf(i + 3)];
    // no check for `undefined`: all components exist, and this loop is most of what a text costs
    for (let d = 0; d < dims; d++) {
      const first = (sums[d] as number) + Math.fround((rows[start1 + d] as number) * scale1);
      const second = first + Math.fround((rows[start2 + d] as number) * scale2);
      const third = second + Math.fround((rows[start3 + d] as number) * scale3);
      sums[d] = third + Math.fround((rows[start4 + d] as number) * scale4);
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
