import { readFileSync, writeFileSync } from 'node:fs';
import type { GraphShape, Points } from './ann-port.ts';
import { blockOf, blockSize, emptyLinks, type GraphLinks } from './graph-file.ts';

/**
 * The file that the library itself reads and writes: a header, then for each point the block of its bottom layer, its
 * components as float32 and its label, then for each point the size of its upper blocks, and these.
 */
const HEADER = 96;
const NUMBER = 4;
const LABEL = 8;

/** Offset of the level generator's factor in the header; searches do not use it. */
const FACTOR = 80;

/** The bytes of a block. */
const bytesOf = (m: number, layer: number) => NUMBER * blockSize(m, layer);

/** The bytes of a point in the first part of the file. */
const sizeOf = (m: number, dims: number) => bytesOf(m, 0) + NUMBER * dims + LABEL;

/** The header of a graph: every field follows from the points, the shape and the levels. */
function headerOf(levels: Uint8Array, dims: number, { m, ef_construction }: GraphShape): Buffer {
  const header = Buffer.alloc(HEADER);
  const top = levels.reduce((highest, level) => Math.max(highest, level), 0);
  const size = sizeOf(m, dims);
  const sizes = [0, levels.length, levels.length, size, size - LABEL, bytesOf(m, 0)];
  sizes.forEach((it, at) => header.writeBigUInt64LE(BigInt(it), 8 * at));
  header.writeInt32LE(top, 48);
  // the entry point is the first one that reached the highest layer
  header.writeUInt32LE(levels.indexOf(top), 52);
  [m, 2 * m, m].forEach((it, at) => header.writeBigUInt64LE(BigInt(it), 56 + 8 * at));
  header.writeDoubleLE(1 / Math.log(m), FACTOR);
  header.writeBigUInt64LE(BigInt(Math.max(ef_construction, m)), 88);
  return header;
}

/** Writes the library's file from checked links and the garden's own vectors. */
export function writeNativeFile(path: string, links: GraphLinks, points: Points, shape: GraphShape): void {
  const { levels, upper } = links;
  const above = Array.from(levels, (level, point) => [
    memoryOf(Uint32Array.of(level * bytesOf(shape.m, 1))),
    memoryOf(upper.get(point) ?? new Uint32Array(0)),
  ]);
  const parts = [headerOf(levels, points.dims, shape), bottomOf(links, points, shape), ...above.flat()];
  writeFileSync(path, Buffer.concat(parts), { flag: 'wx', mode: 0o600 });
}

/** The first part of the file: every point with the links of its bottom layer. */
function bottomOf(links: GraphLinks, points: Points, { m }: GraphShape): Buffer {
  const size = sizeOf(m, points.dims);
  const part = Buffer.alloc(points.count * size);
  for (let point = 0; point < points.count; point++) {
    const start = point * size;
    part.set(memoryOf(blockOf(links, m, point, 0)), start);
    points.at(point).forEach((x, d) => part.writeFloatLE(x, start + bytesOf(m, 0) + NUMBER * d));
    part.writeUInt32LE(point, start + size - LABEL);
  }
  return part;
}

/** Reads the links that the library built. Throws if the file is not in the format that `writeNativeFile` writes. */
export function readNativeFile(path: string, points: Points, shape: GraphShape): GraphLinks {
  const file = readFileSync(path);
  const { m } = shape;
  const size = sizeOf(m, points.dims);
  const blocks: [point: number, at: number][] = [];
  const levels = new Uint8Array(points.count);
  let at = HEADER + points.count * size;
  for (let point = 0; point < points.count; point++) {
    const bytes = file.readUInt32LE(at);
    levels[point] = bytes / bytesOf(m, 1);
    blocks.push([point, at + NUMBER]);
    at += NUMBER + bytes;
  }
  assertHeader(file, headerOf(levels, points.dims, shape));
  const links = emptyLinks(levels, m);
  const copy = (to: Uint32Array, from: number) => {
    file.copy(memoryOf(to), 0, from, from + to.byteLength);
  };
  for (const [point, from] of blocks) {
    copy(blockOf(links, m, point, 0), HEADER + point * size);
    const above = links.upper.get(point);
    if (above) copy(above, from);
  }
  return links;
}

function assertHeader(file: Buffer, expected: Buffer): void {
  const fixed = (header: Buffer) => [header.subarray(0, FACTOR), header.subarray(FACTOR + 8, HEADER)];
  if (Buffer.concat(fixed(file)).equals(Buffer.concat(fixed(expected)))) return;
  throw new TypeError('hnswlib-node wrote its graph in another format');
}

/** The bytes of numbers in memory, in the order of this machine, which the library has too. */
function memoryOf(numbers: Uint32Array): Buffer {
  return Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}
