import { describe, expect, test } from 'vitest';
import type { BuiltGraph } from '../../../compiler/recall/ann/build-ann-graph.ts';
import { keptGraph } from '../../../compiler/recall/index/kept-graph.ts';
import type { WrittenVectors } from '../../../compiler/recall/index/vectors.ts';
import type { KeptResults } from '../../../compiler/schema/kept-results.ts';

const VECTORS: WrittenVectors = {
  dims: 2,
  mean: [0, 0],
  triggers: [1],
  phrases: [0],
  texts: [0],
  data: Int8Array.of(127, 0),
};
const GRAPH: BuiltGraph = {
  pin: { points: 1, m: 16, ef_construction: 200, ef: 50, recall: 1, queries: 8 },
  file: Buffer.from([0, 255, 10]),
};

/** Results that are kept as text, as on a disk. */
function keptResults(): KeptResults {
  const texts = new Map<string, string>();
  return {
    find: (work, inputs, schema) => {
      const text = texts.get(`${work} ${inputs}`);
      return text === undefined ? null : schema.parse(JSON.parse(text));
    },
    keep: (work, inputs, result) => {
      texts.set(`${work} ${inputs}`, JSON.stringify(result));
    },
  };
}

/** Builds the same graph each time, and counts how often it does. */
function builder(made: BuiltGraph | null = GRAPH) {
  const counted = { times: 0 };
  const build = () => {
    counted.times++;
    return made;
  };
  return { counted, build };
}

describe('a graph that was built before', () => {
  test('a graph of the same vectors is built once, and is afterwards the same graph', () => {
    const [kept, { counted, build }] = [keptResults(), builder()];
    expect(keptGraph(VECTORS, kept, build)).toEqual(GRAPH);
    expect(keptGraph({ ...VECTORS, data: Int8Array.of(127, 0) }, kept, build)).toEqual(GRAPH);
    expect(counted.times).toBe(1);
  });

  test.each<[string, Partial<WrittenVectors>]>([
    ['another component', { data: Int8Array.of(126, 0) }],
    ['rows of another kind', { triggers: [0], phrases: [1] }],
    ['another mean', { mean: [0.1, 0] }],
  ])('a graph of vectors with %s is built anew', (_, over) => {
    const [kept, { counted, build }] = [keptResults(), builder()];
    keptGraph(VECTORS, kept, build);
    keptGraph({ ...VECTORS, ...over }, kept, build);
    expect(counted.times).toBe(2);
  });

  test('without kept results, or where a garden gets no graph, it is asked for each time', () => {
    const [none, { counted, build }] = [builder(null), builder()];
    const kept = keptResults();
    for (let time = 0; time < 2; time++) {
      expect(keptGraph(VECTORS, kept, none.build)).toBeNull();
      expect(keptGraph(VECTORS, null, build)).toBe(GRAPH);
    }
    expect([none.counted.times, counted.times]).toEqual([2, 2]);
  });
});
