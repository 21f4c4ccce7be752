import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { SHAPE } from '../../../compiler/recall/ann/build-ann-graph.ts';
import { readLinks } from '../../../compiler/recall/ann/graph-file.ts';
import { hnswLibrary } from '../../../compiler/recall/ann/hnsw.ts';
import { readNativeFile, writeNativeFile } from '../../../compiler/recall/ann/native-file.ts';
import { drawsPinnedGraph } from '../../../compiler/recall/ann/pinned-build.ts';
import { tempFolder } from '../../support/folder.ts';
import { reasonOf } from '../../support/refused.ts';
import { scanning } from '../index/scanning.ts';
import { circle } from './circle.ts';

const found = hnswLibrary();
const library = found!;

/** The levels that GCC's standard library draws for a seed: minstd_rand0, two numbers for each of them. */
function levelsOfGcc(count: number, m: number, seed: number): number[] {
  let state = BigInt(seed);
  const draw = () => Number((state = (state * 16_807n) % 2_147_483_647n)) - 1;
  const range = 2_147_483_646;
  return Array.from({ length: count }, () => {
    const [low, high] = [draw(), draw()];
    return Math.trunc(-Math.log((low + high * range) / range ** 2) / Math.log(m));
  });
}

describe.runIf(found)('an ANN graph of hnswlib-node', () => {
  const points = circle(200);
  const file = library.build(points, SHAPE);
  const graph = library.open(file, points, SHAPE);
  const queries = [
    [100, 3],
    [-50, 70],
    [1, -120],
  ].map((it) => Int8Array.from(it));
  const all = scanning().open(file, points, SHAPE);

  test('an ANN graph finds as many of the nearest points as requested, and at most all', () => {
    for (const query of queries) {
      expect([...graph.search(query, 8)].sort()).toEqual([...all.search(query, 8)].sort());
      expect(new Set(graph.search(query, 500)).size).toBe(200);
    }
  });

  test('the same points give an ANN graph of the same bytes, and another shape gives other bytes', () => {
    expect(library.build(circle(200), SHAPE)).toEqual(file);
    expect(library.build(circle(200), { ...SHAPE, m: 8 })).not.toEqual(file);
  });

  test('the file for the library has the factor by which it draws levels, and is of its owner alone', () => {
    const path = join(tempFolder(), 'graph');
    writeNativeFile(path, readLinks(file, points.count, SHAPE.m), points, SHAPE);
    expect(readFileSync(path).readDoubleLE(80)).toBeCloseTo(1 / Math.log(SHAPE.m), 12);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('a file of the library for another shape is in another format', () => {
    const path = join(tempFolder(), 'graph');
    writeNativeFile(path, readLinks(file, points.count, SHAPE.m), points, SHAPE);
    expect([...readNativeFile(path, points, SHAPE).levels]).toEqual([...file.subarray(0, points.count)]);
    const other = { ...SHAPE, ef_construction: SHAPE.ef_construction + 1 };
    expect(() => readNativeFile(path, points, other)).toThrow(TypeError);
  });

  test('an ANN graph of one point finds it', () => {
    const one = circle(1);
    expect(library.open(library.build(one, SHAPE), one, SHAPE).search(queries[0]!, 32)).toEqual([0]);
  });

  test('the file of an ANN graph opens with vectors of other dimensions, and finds something', () => {
    expect(library.open(file, circle(200, 3), SHAPE).search(Int8Array.of(1, 2, 3), 8)).toHaveLength(8);
  });

  test('native code answers from every changed graph that is accepted', () => {
    let accepted = 0;
    // most changes of a level or a number of links are refused; those of a link by a little often are not
    const change = fc.tuple(fc.nat(file.length - 1), fc.oneof(fc.constantFrom(1, 2, 3, 255), fc.nat(255)));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
        const changed = Buffer.from(file);
        for (const [at, by] of changes) changed[at]! += by;
        let opened;
        try {
          opened = library.open(changed, points, SHAPE);
        } catch (error) {
          expect(error).toMatchObject({ code: 'bundle_unverified' });
          return;
        }
        accepted += 1;
        for (const query of queries) for (const it of opened.search(query, 300)) expect(it).toBeLessThan(200);
      }),
      { numRuns: 1000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  test('an ANN graph leaves no temporary file, whether it is built, opened or refused', () => {
    const folder = tempFolder();
    vi.stubEnv('TMPDIR', folder);
    library.open(library.build(circle(3), SHAPE), circle(3), SHAPE);
    expect(reasonOf(() => library.open(file, circle(3), SHAPE))).toBe('format_unknown');
    vi.unstubAllEnvs();
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('DESIGN §6.7 the pinned ANN graph', () => {
  const pinned = found !== null && drawsPinnedGraph(found);

  test.runIf(pinned)('a build that draws the pinned graph draws the levels of GCC’s standard library', () => {
    const drawn = [...library.build(circle(2000), SHAPE).subarray(0, 2000)];
    expect(drawn).toEqual(levelsOfGcc(2000, SHAPE.m, 100));
    expect(Math.max(...drawn)).toBeGreaterThan(1);
  });

  test.runIf(found)('a build draws the pinned graph exactly if it has the levels of GCC', () => {
    const drawn = [...library.build(circle(2000), SHAPE).subarray(0, 2000)];
    expect(pinned).toBe(String(drawn) === String(levelsOfGcc(2000, SHAPE.m, 100)));
  });

  test.runIf(pinned)('a build that draws one level otherwise does not draw the pinned graph', () => {
    const build: typeof library.build = (points, shape) => {
      const file = library.build(points, shape);
      file[0]! += 1;
      return file;
    };
    expect(drawsPinnedGraph({ ...library, build })).toBe(false);
  });

  test('a build that fails does not draw the pinned graph', () => {
    const build = () => {
      throw new TypeError('another format');
    };
    expect(drawsPinnedGraph({ ...scanning(), build })).toBe(false);
    expect(drawsPinnedGraph(scanning())).toBe(false);
  });
});
