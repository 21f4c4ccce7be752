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

/**
 * Rows, query and products in one memory, multiplied in WebAssembly. Null if the engine has no SIMD or cannot allocate
 * the memory.
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
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(scanModule()), { own: { memory } });
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

// Parameters of `scan`, then its locals.
const FIRST = 0;
const QUERY = 1;
const STRIDE = 2;
const PAIRS = 3;
const OUT = 4;
const SECOND = 5;
const END = 6;
const AT = 7;
const LOW = 8;
const HIGH = 9;
const SUMS = 10;
const MORE_SUMS = 11;

// The instructions of `scan`, by their names in the text format of WebAssembly. An assembler from a package would be five
// megabytes for these three hundred bytes. Tests compare the products with those of plain JavaScript.
type Instruction = readonly number[];
const I32 = 0x7f;
const V128 = 0x7b;
const NOTHING = 0x40;
const simd = (code: number, ...operands: number[]) => [0xfd, code, ...(code < 0x80 ? [] : [0x01]), ...operands];
const local = {
  get: (index: number): Instruction => [0x20, index],
  set: (index: number): Instruction => [0x21, index],
  tee: (index: number): Instruction => [0x22, index],
};
const i32 = {
  /** A number from −64 to 63. */
  const: (value: number): Instruction => [0x41, value & 0x7f],
  add: [0x6a],
  lt_u: [0x49],
  store: (offset: number): Instruction => [0x36, 2, offset],
};
const v128 = {
  zero: simd(0x0c, ...new Array<number>(LANES).fill(0)),
  /** Eight components, widened to 16 bits. */
  load8x8_s: (offset: number): Instruction => simd(0x01, 0, offset),
};
const i32x4 = {
  add: simd(0xae),
  dot_i16x8_s: simd(0xba),
  extract_lane: (lane: number): Instruction => simd(0x1b, lane),
};
const loop = [0x03, NOTHING];
const br_if = [0x0d, 0x00];
const end = [0x0b];

const move = (index: number, by: number) => [local.get(index), i32.const(by), i32.add, local.set(index)];

/** Multiplies eight components of a row with those of the query, and adds the products to the sums on the stack. */
const multiplyEight = (row: number, offset: number, query: number) => [
  local.get(row),
  v128.load8x8_s(offset),
  local.get(query),
  i32x4.dot_i16x8_s,
  i32x4.add,
];

/** Multiplies sixteen components of a row with those of the query, and adds the products to four sums. */
const multiply = (row: number, sums: number) => [
  local.get(sums),
  ...multiplyEight(row, 0, LOW),
  ...multiplyEight(row, 8, HIGH),
  local.set(sums),
];

/** Stores the total of the four sums. */
const store = (sums: number, offset: number) => [
  local.get(OUT),
  local.get(sums),
  i32x4.extract_lane(0),
  ...[1, 2, 3].flatMap((lane) => [local.get(sums), i32x4.extract_lane(lane), i32.add]),
  i32.store(offset),
];

/** For each pair of rows: their products with the query, sixteen components at a time, stored at OUT. */
const SCAN: readonly Instruction[] = [
  loop,
  local.get(FIRST),
  local.get(STRIDE),
  i32.add,
  local.tee(SECOND),
  local.set(END),
  local.get(QUERY),
  local.set(AT),
  v128.zero,
  local.set(SUMS),
  v128.zero,
  local.set(MORE_SUMS),
  loop,
  local.get(AT),
  v128.load8x8_s(0),
  local.set(LOW),
  local.get(AT),
  v128.load8x8_s(8),
  local.set(HIGH),
  ...multiply(FIRST, SUMS),
  ...multiply(SECOND, MORE_SUMS),
  ...move(AT, LANES),
  ...move(SECOND, LANES),
  local.get(FIRST),
  i32.const(LANES),
  i32.add,
  local.tee(FIRST),
  local.get(END),
  i32.lt_u,
  br_if,
  end,
  ...store(SUMS, 0),
  ...store(MORE_SUMS, 4),
  ...move(OUT, 8),
  // the next pair starts at the end of the second row
  local.get(SECOND),
  local.set(FIRST),
  local.get(PAIRS),
  i32.const(-1),
  i32.add,
  local.tee(PAIRS),
  br_if,
  end,
];

/** The WebAssembly module: imports a memory, exports `scan(first, query, stride, pairs, out)`. */
function scanModule(): Uint8Array {
  const section = (id: number, content: readonly number[]) => [id, ...size(content), ...content];
  const named = (name: string) => [name.length, ...Buffer.from(name)];
  const locals = [2, 3, I32, 4, V128];
  const body = [...locals, ...SCAN.flat(), ...end];
  const magic = [0x00, 0x61, 0x73, 0x6d];
  const version = [1, 0, 0, 0];
  return Uint8Array.from([
    ...magic,
    ...version,
    ...section(1, [1, 0x60, 5, I32, I32, I32, I32, I32, 0]),
    ...section(2, [1, ...named('own'), ...named('memory'), 2, 0, 0]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...named('scan'), 0, 0]),
    ...section(10, [1, ...size(body), ...body]),
  ]);
}

function size({ length }: readonly number[]): number[] {
  return length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >> 7];
}
