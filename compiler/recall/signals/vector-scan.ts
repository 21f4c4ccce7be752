import { LANES, simdScanner, type Scanner } from './simd-scanner.ts';

/**
 * int8 vectors in a layout for fast inner products with a query. With SIMD sixteen components are multiplied at once,
 * otherwise one by one. Both use integers, so the products are identical.
 */
export interface Rows {
  readonly count: number;
  /** Components from the start of one row to the next: a vector, padded with zeros. */
  readonly stride: number;
  readonly data: Int8Array;
  /** Sets the query and returns a function that multiplies rows with it; valid until the next query. */
  readonly scannerFor: (query: Int8Array) => Scanner['scan'];
}

/**
 * Copies the consecutive rows of `bytes` into the layout of `Rows`.
 *
 * @param withSimd without it, or without SIMD in the engine, the scan is the plain one
 */
export function layRows(bytes: Int8Array, dims: number, withSimd = true): Rows {
  const stride = Math.ceil(dims / LANES) * LANES;
  const count = bytes.length / dims;
  const scanner = (withSimd ? simdScanner(stride, count) : null) ?? plainScanner(stride, count);
  const { data, query, scan } = scanner;
  for (let r = 0; r < count; r++) data.set(bytes.subarray(r * dims, (r + 1) * dims), r * stride);
  const scannerFor = (vector: Int8Array) => {
    query.set(vector);
    return scan;
  };
  return { count, stride, data, scannerFor };
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

/** Four independent sums, so that the processor can multiply in parallel. */
function dot(data: Int8Array, query: Int8Array, start: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let e = 0;
  // no check for `undefined`: all components exist, and the check would take half as long again
  for (let d = 0, at = start; d < query.length; d += 4, at += 4) {
    a = (a + Math.imul(data[at] as number, query[d] as number)) | 0;
    b = (b + Math.imul(data[at + 1] as number, query[d + 1] as number)) | 0;
    c = (c + Math.imul(data[at + 2] as number, query[d + 2] as number)) | 0;
    e = (e + Math.imul(data[at + 3] as number, query[d + 3] as number)) | 0;
  }
  return (a + b + c + e) | 0;
}
