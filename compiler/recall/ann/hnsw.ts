import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuse } from '../../schema/refusals.ts';
import type { Graph, GraphLibrary, Points } from './ann-port.ts';

/** As far as this file needs hnswlib-node: an optional dependency, whose types may be missing as well. */
interface HierarchicalNSW {
  readonly initIndex: (maxElements: number, m: number, efConstruction: number, randomSeed: number) => void;
  readonly addPoint: (point: number[], label: number) => void;
  readonly searchKnn: (query: number[], count: number) => { readonly neighbors: number[] };
  readonly setEf: (ef: number) => void;
  readonly writeIndexSync: (path: string) => void;
  readonly readIndexSync: (path: string) => void;
}
interface Hnswlib {
  readonly HierarchicalNSW: new (space: 'ip', dims: number) => HierarchicalNSW;
}

const SEED = 100;

/**
 * hnswlib-node, loaded when it is asked for; null where it is not installed. Points and queries are whole numbers small
 * enough for their products to be exact in float32, and go in in one order from one seed: the graph is the same
 * whenever it is built.
 */
export function hnswLibrary(): GraphLibrary | null {
  const lib = loadHnswlib();
  if (lib === null) return null;
  return {
    build: (points, m, efConstruction) => {
      const index = new lib.HierarchicalNSW('ip', points.dims);
      index.initIndex(points.count, m, efConstruction, SEED);
      for (let point = 0; point < points.count; point++) index.addPoint(points.at(point), point);
      const file = inPrivateFile((path) => {
        index.writeIndexSync(path);
        return stripped(readFileSync(path));
      });
      return { graph: graphOf(index, points.count), file };
    },
    open: (file, points) => {
      const index = new lib.HierarchicalNSW('ip', points.dims);
      inPrivateFile((path) => {
        writeWhole(path, file, points);
        index.readIndexSync(path);
      });
      return graphOf(index, points.count);
    },
  };
}

function loadHnswlib(): Hnswlib | null {
  try {
    return createRequire(import.meta.url)('hnswlib-node') as Hnswlib;
  } catch {
    return null;
  }
}

function graphOf(index: HierarchicalNSW, count: number): Graph {
  return {
    search: (query, breadth) => {
      index.setEf(breadth);
      return index.searchKnn(Array.from(query), Math.min(breadth, count)).neighbors;
    },
  };
}

/** The library only knows paths: a file nobody else can read or replace, gone when the work is done. */
function inPrivateFile<T>(work: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'vade-graph-'));
  try {
    return work(join(folder, 'graph'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The library's file is a header, then for each point its links, its components as float32 and its label, then the
 * upper layers. The components follow from the garden's vectors, so a bundle carries the file without them: a
 * tenth of the size, and no second set of vectors that could differ from the first.
 */
interface Layout {
  readonly count: number;
  /** Bytes of a point, and where in them its components begin and end. */
  readonly size: number;
  readonly from: number;
  readonly to: number;
}

const HEADER = 96;
const FLOAT = 4;

function layoutOf(file: Buffer): Layout {
  const field = (at: number) => Number(file.readBigUInt64LE(at));
  return { count: field(16), size: field(24), to: field(32), from: field(40) };
}

function stripped(file: Buffer): Buffer {
  const { count, size, from, to } = layoutOf(file);
  const parts = [file.subarray(0, HEADER)];
  for (let at = HEADER; at < HEADER + count * size; at += size) {
    parts.push(file.subarray(at, at + from), file.subarray(at + to, at + size));
  }
  return Buffer.concat([...parts, file.subarray(HEADER + count * size)]);
}

/** Writes the library's file, point by point, from a stripped one. @throws bundle_unverified */
function writeWhole(path: string, file: Buffer, points: Points): void {
  const { count, size, from, to } = file.length < HEADER ? { count: 0, size: 0, from: 0, to: 0 } : layoutOf(file);
  const kept = size - (to - from);
  if (count !== points.count || to - from !== FLOAT * points.dims || file.length < HEADER + count * kept) {
    throw refuse('format_unknown', 'the graph is not one of these vectors');
  }
  const out = openSync(path, 'wx', 0o600);
  try {
    writeSync(out, file, 0, HEADER);
    const whole = Buffer.alloc(size);
    for (let point = 0; point < count; point++) {
      const at = HEADER + point * kept;
      file.copy(whole, 0, at, at + from);
      points.at(point).forEach((x, d) => whole.writeFloatLE(x, from + FLOAT * d));
      file.copy(whole, to, at + from, at + kept);
      writeSync(out, whole);
    }
    writeSync(out, file, HEADER + count * kept);
  } finally {
    closeSync(out);
  }
}
