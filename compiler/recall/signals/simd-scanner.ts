/** Components that are multiplied at once; a row is a multiple of them long. */
export const LANES = 16;

/** Room for rows and one query, and what multiplies them. */
export interface Scanner {
  readonly data: Int8Array;
  readonly query: Int8Array;
  /** The products of rows `from` up to `to`, row r's at r of a buffer that the next call writes to. */
  readonly scan: (from: number, to: number) => Int32Array;
}

/** As far as this file needs it; the types of Node leave it out. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

const PAGE = 65_536;

/**
 * Rows, query and products in one memory, multiplied in WebAssembly. Null where the engine has no SIMD or no room
 * for another memory.
 */
export function simdScanner(stride: number, count: number): Scanner | null {
  // rows go in pairs: the last may need one of zeros beside it
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

// Parameters and locals of `scan`, and the instructions it is made of.
const [FIRST, QUERY, STRIDE, PAIRS, OUT] = [0, 1, 2, 3, 4] as const;
const [SECOND, END, AT, LOW, HIGH, SUMS, MORE_SUMS] = [5, 6, 7, 8, 9, 10, 11] as const;
const [I32, V128, NOTHING] = [0x7f, 0x7b, 0x40] as const;
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
/** A number from −64 to 63. */
const number = (value: number) => [0x41, value & 0x7f];
const simd = (code: number) => (code < 0x80 ? [0xfd, code] : [0xfd, code, 0x01]);
const LOOP = [0x03, NOTHING];
const REPEAT_IF = [0x0d, 0x00];
const CLOSE = [0x0b];
const LESS = [0x49];
const ADD = [0x6a];
const ADD_SUMS = simd(0xae);
const NO_SUMS = [...simd(0x0c), ...new Array<number>(LANES).fill(0)];

const advance = (local: number, by: number) => [...get(local), ...number(by), ...ADD, ...tee(local)];
const move = (local: number, by: number) => [...get(local), ...number(by), ...ADD, ...set(local)];

/** Eight components, widened to 16 bits. */
const eight = (pointer: number, offset: number) => [...get(pointer), ...simd(0x01), 0, offset];

/** Multiplies sixteen components of a row with those of the query, and adds them up to four sums. */
const multiply = (row: number, sums: number) => [
  ...[...get(sums), ...eight(row, 0), ...get(LOW), ...simd(0xba), ...ADD_SUMS],
  ...[...eight(row, 8), ...get(HIGH), ...simd(0xba), ...ADD_SUMS, ...set(sums)],
];

const directWriter = (sums: number, n: number) => [...get(sums), ...simd(0x1b), n];

/** Stores the sum of the four sums. */
const store = (sums: number, offset: number) => [
  ...get(OUT),
  ...[
    ...directWriter(sums, 0),
    ...directWriter(sums, 1),
    ...ADD,
    ...directWriter(sums, 2),
    ...ADD,
    ...directWriter(sums, 3),
    ...ADD,
  ],
  ...[0x36, 2, offset],
];

/** For each pair of rows: their products with the query, sixteen components at a time, stored at OUT. */
const SCAN = [
  ...LOOP,
  ...[...get(FIRST), ...get(STRIDE), ...ADD, ...tee(SECOND), ...set(END)],
  ...[...get(QUERY), ...set(AT), ...NO_SUMS, ...set(SUMS), ...NO_SUMS, ...set(MORE_SUMS)],
  ...LOOP,
  ...[...eight(AT, 0), ...set(LOW), ...eight(AT, 8), ...set(HIGH)],
  ...[...multiply(FIRST, SUMS), ...multiply(SECOND, MORE_SUMS)],
  ...[...move(AT, LANES), ...move(SECOND, LANES)],
  ...[...advance(FIRST, LANES), ...get(END), ...LESS, ...REPEAT_IF],
  ...CLOSE,
  ...[...store(SUMS, 0), ...store(MORE_SUMS, 4), ...move(OUT, 8)],
  // the second row ends where the next pair begins
  ...[...get(SECOND), ...set(FIRST)],
  ...[...advance(PAIRS, -1), ...REPEAT_IF],
  ...CLOSE,
];

/** The module around it: it takes a memory in, and gives `scan(first, query, stride, pairs, out)`. */
function scanModule(): Uint8Array {
  const section = (id: number, content: readonly number[]) => [id, ...size(content), ...content];
  const named = (name: string) => [name.length, ...Buffer.from(name)];
  const locals = [2, 3, I32, 4, V128];
  const body = [...locals, ...SCAN, ...CLOSE];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
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
