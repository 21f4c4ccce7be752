import { describe, expect, test } from 'vitest';
import { SHAPE } from '../../../compiler/recall/ann/build-ann-graph.ts';
import { hnswLibrary } from '../../../compiler/recall/ann/hnsw.ts';
import { circle } from './circle.ts';

const found = hnswLibrary();
const library = found!;

describe.runIf(found)('a closed ANN graph', () => {
  // no other test of this process has graphs of five dimensions
  const points = { many: circle(50, 5), few: circle(3, 5) };
  const open = (of: keyof typeof points) => library.open(library.build(points[of], SHAPE), points[of], SHAPE);
  const query = Int8Array.of(100, 3, 0, 0, 0);

  test('is not searched any more', () => {
    const graph = open('few');
    expect(new Set(graph.search(query, 9)).size).toBe(3);
    graph.close();
    expect(() => graph.search(query, 9)).toThrow(TypeError);
  });

  test('gives its memory to one graph alone, however often it is closed', () => {
    const graph = open('few');
    graph.close();
    graph.close();
    const [many, few] = [open('many'), open('few')];
    expect([many, few].map((it) => new Set(it.search(query, 50)).size)).toEqual([50, 3]);
  });
});
