import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refuse } from '../../schema/refusals.ts';
import type { Graph, GraphLibrary, Points } from './ann-port.ts';

/** The part of hnswlib-node that this file needs. The dependency is optional, so its types may be missing. */
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
 * Loads hnswlib-node; null if it is not installed. The graph is reproducible: points and queries are integers with
 * products that are exact in float32, and points are added in a fixed order with a fixed seed.
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
        restore(path, file, points);
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

/** The library works on paths only, so it gets a file in a private temporary folder, which is deleted afterwards. */
function inPrivateFile<T>(work: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'vade-graph-'));
  try {
    return work(join(folder, 'graph'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The library's file has a header, then for each point its links, its components as float32 and its label, then the
 * upper layers. A bundle contains the file without the components, because they can be computed from the garden's
 * vectors: it is a tenth of the size, and there is no second set of vectors that could differ.
 */
interface Layout {
  readonly count: number;
  /** Bytes of a point, and the start and end of its components in them. */
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
function restore(path: string, file: Buffer, points: Points): void {
  const { count, size, from, to } = file.length < HEADER ? { count: 0, size: 0, from: 0, to: 0 } : layoutOf(file);
  const kept = size - (to - from);
  if (count !== points.count || to - from !== FLOAT * points.dims || file.length < HEADER + count * kept) {
    throw refuse('format_unknown', 'the graph does not belong to these vectors');
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
