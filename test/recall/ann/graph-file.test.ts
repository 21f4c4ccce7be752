import { readdirSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { pointsOf, type Points } from '../../../compiler/recall/ann/ann-port.ts';
import { hnswLibrary } from '../../../compiler/recall/ann/hnsw.ts';
import { layVectors } from '../../../compiler/recall/index/vectors.ts';
import { tempFolder } from '../../support/folder.ts';
import { reasonOf } from '../../support/refused.ts';
import { scanning } from '../index/scanning.ts';

const library = hnswLibrary()!;
const HEADER = 96;

/** So many points around a circle, in as many dimensions. */
function circle(count: number, dims = 2): Points {
  const data = Int8Array.from({ length: count * dims }, (_, at) => {
    const angle = (2 * Math.PI * Math.floor(at / dims)) / count;
    return [Math.cos(angle), Math.sin(angle), 0][at % dims]! * 127;
  });
  const [phrases, texts] = [1, 0].map((it) => Array<number>(count).fill(it)) as [number[], number[]];
  return pointsOf(layVectors({ dims, mean: Array<number>(dims).fill(0), phrases, texts, data }));
}

describe.runIf(hnswLibrary())('the file of an ANN graph', () => {
  const points = circle(200);
  const { graph, file } = library.build(points, 24, 160);
  const queries = [
    [100, 3],
    [-50, 70],
    [1, -120],
  ].map((it) => Int8Array.from(it));
  const all = scanning().build(points, 0, 0).graph;

  test('an ANN graph finds as many of the nearest points as requested, and at most all', () => {
    for (const query of queries) {
      expect([...graph.search(query, 8)].sort()).toEqual([...all.search(query, 8)].sort());
      expect(new Set(graph.search(query, 500)).size).toBe(200);
    }
  });

  test('an ANN graph that is opened with the same vectors gives the same answers', () => {
    const opened = library.open(file, points);
    for (const query of queries) expect(opened.search(query, 16)).toEqual(graph.search(query, 16));
  });

  test('the file of an ANN graph does not contain the components of its points', () => {
    const [count, size, to, from] = [16, 24, 32, 40].map((at) => Number(file.readBigUInt64LE(at))) as [
      number,
      number,
      number,
      number,
    ];
    expect([count, to - from]).toEqual([200, 8]);
    const kept = size - 8;
    // then one number for each point: the bytes of its upper layers
    expect(file.length).toBeGreaterThanOrEqual(HEADER + count * (kept + 4));
    expect(file.length).toBeLessThan(HEADER + count * (size + 4));
  });

  test.each<[string, () => Buffer, Points]>([
    ['that is cut in its header', () => file.subarray(0, HEADER - 1), points],
    ['that is empty', () => Buffer.alloc(0), points],
    ['that is cut before the end of its points', () => file.subarray(0, HEADER + 1000), points],
    ['for more points', () => file, circle(201)],
    ['for fewer points', () => file, circle(199)],
    ['for another number of dimensions', () => file, circle(200, 3)],
  ])('the file of an ANN graph %s is refused', (_, spoilt, of) => {
    expect(reasonOf(() => library.open(spoilt(), of))).toBe('format_unknown');
  });

  test('the file of an ANN graph that is one byte too short is refused', () => {
    const [size, to, from] = [24, 32, 40].map((at) => Number(file.readBigUInt64LE(at))) as [number, number, number];
    const end = HEADER + 200 * (size - (to - from));
    expect(reasonOf(() => library.open(file.subarray(0, end - 1), points))).toBe('format_unknown');
  });

  test('an ANN graph leaves no temporary file, whether it is built, opened or refused', () => {
    const folder = tempFolder();
    vi.stubEnv('TMPDIR', folder);
    library.build(circle(3), 24, 160);
    library.open(file, points);
    expect(reasonOf(() => library.open(file, circle(3)))).toBe('format_unknown');
    vi.unstubAllEnvs();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('the same points give an ANN graph of the same bytes, and another m gives other bytes', () => {
    expect(library.build(circle(200), 24, 160).file).toEqual(file);
    expect(library.build(circle(200), 8, 160).file).not.toEqual(file);
  });
});
