import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import type { Graph, GraphLibrary } from './ann-port.ts';
import { packLinks, readLinks } from './graph-file.ts';
import { readNativeFile, writeNativeFile } from './native-file.ts';

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
 * Loads hnswlib-node; null if it is not installed. The graph is reproducible on every machine whose build draws the
 * pinned levels (`drawsPinnedGraph`): points and queries are integers with products that are exact in float32, and
 * points are added in a fixed order with a fixed seed.
 */
export function hnswLibrary(): GraphLibrary | null {
  return (opened ??= openLibrary());
}

let opened: GraphLibrary | null = null;

function openLibrary(): GraphLibrary | null {
  const lib = loadHnswlib();
  if (lib === null) return null;
  const indexes = spareIndexes(lib);
  return {
    build: (points, shape) => {
      const index = indexes.take(points.dims);
      index.initIndex(points.count, shape.m, shape.ef_construction, SEED);
      for (let point = 0; point < points.count; point++) index.addPoint(points.at(point), point);
      const file = inPrivateFile((path) => {
        index.writeIndexSync(path);
        return packLinks(readNativeFile(path, points, shape), shape.m);
      });
      indexes.giveBack(points.dims, index);
      return file;
    },
    open: (file, points, shape) => {
      const links = readLinks(file, points.count, shape.m);
      const index = indexes.take(points.dims);
      inPrivateFile((path) => {
        writeNativeFile(path, links, points, shape);
        index.readIndexSync(path);
      });
      return graphOf(index, points.count, () => {
        indexes.giveBack(points.dims, index);
      });
    },
  };
}

/**
 * Native indexes that are free again, by their dimensions. Each has 65,536 locks of 40 bytes, which the collector of
 * garbage does not see: a compile of a thousand gardens would keep gigabytes. An index that begins anew frees what it
 * had.
 */
function spareIndexes(lib: Hnswlib) {
  const spare = new Map<number, HierarchicalNSW[]>();
  return {
    take: (dims: number) => spare.get(dims)?.pop() ?? new lib.HierarchicalNSW('ip', dims),
    giveBack: (dims: number, index: HierarchicalNSW) => {
      spare.set(dims, [...(spare.get(dims) ?? []), index]);
    },
  };
}

function loadHnswlib(): Hnswlib | null {
  return orNull(() => createRequire(import.meta.url)('hnswlib-node') as Hnswlib);
}

function graphOf(index: HierarchicalNSW, count: number, giveBack: () => void): Graph {
  let isOpen = true;
  return {
    search: (query, breadth) => {
      if (!isOpen) throw new TypeError('the graph is closed');
      index.setEf(breadth);
      return index.searchKnn(numbersOf(query), Math.min(breadth, count)).neighbors;
    },
    close: () => {
      if (isOpen) giveBack();
      isOpen = false;
    },
  };
}

/** A loop, because `Array.from` takes ten times as long, a fifth of a whole search. */
function numbersOf(query: Int8Array): number[] {
  const numbers: number[] = [];
  for (let d = 0; d < query.length; d++) numbers.push(query[d] ?? 0);
  return numbers;
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
