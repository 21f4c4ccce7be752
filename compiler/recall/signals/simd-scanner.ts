/** The number of components that are multiplied at once; the length of a row is a multiple of it. */
export const LANES = 16;

/** Memory for rows and one query, and a function that multiplies them. */
export interface Scanner {
  readonly data: Int8Array;
  readonly query: Int8Array;
  /** The products of rows `from` to `to`; that of row r is at index r. The next call overwrites the buffer. */
  readonly scan: (from: number, to: number) => Int32Array;
}

/** The part of WebAssembly that this file needs; Node's types do not declare it. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

const PAGE = 65_536;

/** The bytes of `scan.wat`; a test assembles it and compares. */
export const SCAN_MODULE =
  'AGFzbQEAAAABCQFgBX9/f39/AAIPAQNvd24GbWVtb3J5AgAAAwIBAAcIAQRzY2FuAAAK+gEB9wECA38EewNAIAAgAmoiBSEGIAEhB/0MAAAAAAAAAAAAAAAAAAAAACEK/QwAAAAAAAAAAAAAAAAAAAAAIQsDQCAH/QEAACEIIAf9AQAIIQkgCiAA/QEAACAI/boB/a4BIAD9AQAIIAn9ugH9rgEhCiALIAX9AQAAIAj9ugH9rgEgBf0BAAggCf26Af2uASELIAdBEGohByAFQRBqIQUgAEEQaiIAIAZJDQALIAQgCv0bACAK/RsBaiAK/RsCaiAK/RsDajYCACAEIAv9GwAgC/0bAWogC/0bAmogC/0bA2o2AgQgBEEIaiEEIAUhACADQX9qIgMNAAsL';

/** Compiled once, for all scanners. */
let compiled: object | undefined;

/**
 * Rows, query and products in one memory, multiplied in WebAssembly. Null if the engine has no SIMD or cannot allocate
 * the memory: each takes 10 GiB of addresses, which suffice for some ten thousand.
 *
 * With the built-in model (256 components, five rows a unit) a scan in JavaScript takes 13 to 25 times as long and
 * dominates a recall: 0.80 ms instead of 0.23 in a garden of 500 units, 1.65 instead of 0.35 of 1,000, 4.29
 * instead of 0.52 of 2,000, 40 instead of 5.5 of 20,000 (medians of `npm run bench:recall`, VADE_SIZES).
 */
export function simdScanner(stride: number, count: number): Scanner | null {
  // rows are processed in pairs, so an odd number needs one more row of zeros
  const query = stride * (count + 1);
  const out = query + stride;
  const pages = Math.ceil((out + 4 * (count + 1)) / PAGE);
  try {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    compiled ??= new WebAssembly.Module(Buffer.from(SCAN_MODULE, 'base64'));
    const { exports } = new WebAssembly.Instance(compiled, { own: { memory } });
    const { scan } = exports as { scan: (...parameters: number[]) => void };
    const dots = new Int32Array(memory.buffer, out, count);
    return {
      data: new Int8Array(memory.buffer, 0, stride * count),
      query: new Int8Array(memory.buffer, query, stride),
      scan: (from, to) => {
        if (from < to) scan(from * stride, query, stride, Math.ceil((to - from) / 2), out + 4 * from);
        return dots;
      },
    };
  } catch {
    return null;
  }
}
