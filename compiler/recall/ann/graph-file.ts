import { refuse } from '../../schema/refusals.ts';

/**
 * The links of a graph in memory, as the library has them: for each point and layer a block with the number of links,
 * the links, and zeros up to the most there may be. The bottom layer may have twice as many links.
 */
export interface GraphLinks {
  /** The highest layer of each point. */
  readonly levels: Uint8Array;
  /** The blocks of the bottom layer, point by point. */
  readonly bottom: Uint32Array;
  /** The blocks of layers 1 up to the level, by point. */
  readonly upper: ReadonlyMap<number, Uint32Array>;
}

/** More layers than 16 links a point ever give; each costs memory when a graph is read. */
const MAX_LEVEL = 15;

/** A link takes at most five bytes of seven bits. */
const MAX_SHIFT = 28;

/** The size of a block in numbers. */
export const blockSize = (m: number, layer: number): number => (layer === 0 ? 2 * m : m) + 1;

/** The block of a point in a layer. */
export function blockOf({ bottom, upper }: GraphLinks, m: number, point: number, layer: number): Uint32Array {
  const size = blockSize(m, layer);
  if (layer === 0) return bottom.subarray(point * size, (point + 1) * size);
  return (upper.get(point) ?? new Uint32Array(0)).subarray((layer - 1) * size, layer * size);
}

/** Zeros for every block of a graph. */
export function emptyLinks(levels: Uint8Array, m: number): GraphLinks {
  const upper = new Map<number, Uint32Array>();
  levels.forEach((level, point) => {
    if (level > 0) upper.set(point, new Uint32Array(level * blockSize(m, 1)));
  });
  return { levels, bottom: new Uint32Array(levels.length * blockSize(m, 0)), upper };
}

/**
 * A graph as a file of a bundle: the level of each point, then for each point and layer the number of links and the
 * gaps between the sorted links, in bytes of seven bits. It contains links alone. Everything else that the library's
 * own file has follows from them and from the garden's vectors, so a forged file has nothing else to lie about.
 */
export function packLinks(links: GraphLinks, m: number): Buffer {
  const numbers: number[] = [];
  links.levels.forEach((level, point) => {
    for (let layer = 0; layer <= level; layer++) {
      const [count = 0, ...found] = blockOf(links, m, point, layer);
      numbers.push(count);
      let least = 0;
      for (const link of found.slice(0, count).sort((a, b) => a - b)) {
        numbers.push(link - least);
        least = link + 1;
      }
    }
  });
  return Buffer.concat([links.levels, packNumbers(numbers)]);
}

function packNumbers(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(5 * numbers.length);
  let end = 0;
  for (let rest of numbers) {
    for (; rest > 0x7f; rest >>>= 7) bytes[end++] = (rest & 0x7f) | 0x80;
    bytes[end++] = rest;
  }
  return bytes.subarray(0, end);
}

/**
 * Reads the links of a graph of so many points. Every link leads to another point that is in the same layer, and no
 * block has more links than it holds: native code follows them without looking.
 *
 * @throws bundle_unverified
 */
export function readLinks(file: Buffer, count: number, m: number): GraphLinks {
  const levels = Uint8Array.from(file.subarray(0, count));
  if (levels.length < count || levels.some((it) => it > MAX_LEVEL)) throw unreadable('levels');
  const links = emptyLinks(levels, m);
  const reader = new NumberReader(file, count);
  for (let point = 0; point < count; point++) {
    for (let layer = 0; layer <= (levels[point] ?? 0); layer++) {
      readBlock(reader, blockOf(links, m, point, layer), point, layer, levels);
    }
  }
  if (!reader.isAtEnd()) throw unreadable('end');
  return links;
}

function readBlock(reader: NumberReader, block: Uint32Array, point: number, layer: number, levels: Uint8Array): void {
  const count = reader.next();
  if (count >= block.length) throw unreadable('number of links');
  block[0] = count;
  let least = 0;
  for (let at = 1; at <= count; at++) {
    const link = least + reader.next();
    const level = levels[link];
    if (level === undefined || level < layer || link === point) throw unreadable('links');
    block[at] = link;
    least = link + 1;
  }
}

/** Reads numbers in bytes of seven bits, the lowest first; the last byte has no high bit, and is zero only alone. */
class NumberReader {
  readonly #bytes: Buffer;
  #at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  next(): number {
    let number = 0;
    for (let shift = 0; shift <= MAX_SHIFT; shift += 7) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined || (byte === 0 && shift > 0)) break;
      number += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return number;
    }
    throw unreadable('numbers');
  }
}

function unreadable(what: string) {
  return refuse('format_unknown', `the ${what} of the graph cannot be those of these vectors`);
}
