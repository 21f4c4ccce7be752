import { LANES, simdScanner, type Scanner } from './simd-scanner.ts';

/**
 * int8 vectors, laid out for inner products with a query: what a recall spends its time on. Sixteen components
 * at once where the engine has SIMD, one by one where it has not: whole numbers both ways, so the products are
 * the same to the last bit.
 */
export interface Rows {
  readonly count: number;
  /** Components from the start of one row to the next: those of a vector, and zeros up to a full load. */
  readonly stride: number;
  readonly data: Int8Array;
  /** Takes a query in; what is answered multiplies rows with it until the next query. */
  readonly ask: (query: Int8Array) => Scanner['scan'];
}

/** Below this many rows a memory of their own gains nothing. */
const SIMD_ROWS = 512;

/**
 * Lays out rows that stand one after the other in `bytes`.
 *
 * @param simd whether to look for it at all
 */
export function layRows(bytes: Int8Array, dims: number, simd = bytes.length >= SIMD_ROWS * dims): Rows {
  const stride = Math.ceil(dims / LANES) * LANES;
  const count = bytes.length / dims;
  const { data, query, scan } = (simd ? simdScanner(stride, count) : null) ?? plainScanner(stride, count);
  for (let r = 0; r < count; r++) data.set(bytes.subarray(r * dims, (r + 1) * dims), r * stride);
  const ask = (asked: Int8Array) => {
    query.set(asked);
    return scan;
  };
  return { count, stride, data, ask };
}

function plainScanner(stride: number, count: number): Scanner {
  const data = new Int8Array(stride * count);
  const query = new Int8Array(stride);
  const dots = new Int32Array(count);
  const scan = (from: number, to: number) => {
    for (let r = from; r < to; r++) dots[r] = dot(data, query, r * stride);
    return dots;
  };
  return { data, query, scan };
}

/** Four sums side by side, which keeps the processor's multipliers busy. */
function dot(data: Int8Array, query: Int8Array, start: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let e = 0;
  // no look for `undefined` at each component: all of them are there, and it would take half as long again
  for (let d = 0, at = start; d < query.length; d += 4, at += 4) {
    a = (a + Math.imul(data[at] as number, query[d] as number)) | 0;
    b = (b + Math.imul(data[at + 1] as number, query[d + 1] as number)) | 0;
    c = (c + Math.imul(data[at + 2] as number, query[d + 2] as number)) | 0;
    e = (e + Math.imul(data[at + 3] as number, query[d + 3] as number)) | 0;
  }
  return (a + b + c + e) | 0;
}
