import { describe, expect, test } from 'vitest';
import { pointsOf } from '../../../compiler/recall/ann/ann-port.ts';
import { buildAnnGraph, GRAPH_ROWS } from '../../../compiler/recall/ann/build-ann-graph.ts';
import { layVectors } from '../../../compiler/recall/index/vectors.ts';
import { scanning } from '../index/scanning.ts';

/** Units with two phrases and a text, one phrase alone, a text alone, and nothing. */
const vectors = layVectors({
  dims: 2,
  mean: [0, 0],
  phrases: [2, 1, 0, 0],
  texts: [1, 0, 1, 0],
  data: Int8Array.from(
    [
      [1, 2],
      [3, 4],
      [10, 20],
      [5, 6],
      [7, 8],
    ].flat(),
  ),
});

describe('DESIGN §6.7 the points of an ANN graph', () => {
  test('each phrase with its unit’s text is a point, weighted as in the score; so is a text without phrases', () => {
    const { count, dims, units, at } = pointsOf(vectors);
    expect([count, dims, units]).toEqual([4, 2, Int32Array.of(0, 0, 1, 2)]);
    expect([0, 1, 2, 3].map(at)).toEqual([
      [2 * 1 + 3 * 10, 2 * 2 + 3 * 20],
      [2 * 3 + 3 * 10, 2 * 4 + 3 * 20],
      [2 * 5, 2 * 6],
      [3 * 7, 3 * 8],
    ]);
  });
});

describe('DESIGN §6.7 the measured recall of an ANN graph', () => {
  /** Units around a circle, so that each has neighbours of its own. */
  const COUNT = 60;
  const circle = layVectors({
    dims: 2,
    mean: [0, 0],
    phrases: Array<number>(COUNT).fill(1),
    texts: Array<number>(COUNT).fill(0),
    data: Int8Array.from({ length: 2 * COUNT }, (_, at) => {
      const angle = (2 * Math.PI * Math.floor(at / 2)) / COUNT;
      return Math.round(127 * (at % 2 === 0 ? Math.cos(angle) : Math.sin(angle)));
    }),
  });

  test('an ANN graph that finds everything is pinned with the smallest ef, and written', () => {
    const { pin, file } = buildAnnGraph(circle, scanning());
    expect(pin).toEqual({ points: COUNT, m: 24, ef_construction: 160, ef: 32, recall: 1, queries: 200 });
    expect(file).toEqual(Buffer.from('graph'));
  });

  test('an ANN graph is pinned with the first ef that finds 99 of 100', () => {
    const from = (least: number) => scanning((found, breadth) => (breadth < least ? found.slice(0, 3) : found));
    expect([33, 65, 129, 257].map((least) => buildAnnGraph(circle, from(least)).pin.ef)).toEqual([64, 128, 256, 512]);
  });

  test('an ANN graph that finds too little is left out, and its recall is pinned', () => {
    const { pin, file } = buildAnnGraph(
      circle,
      scanning((found) => found.slice(0, 5)),
    );
    expect(pin).toMatchObject({ ef: 512, recall: 0.5, queries: 200 });
    expect(file).toBeNull();
  });

  test('the recall of an ANN graph is its share of the ten best units', () => {
    const recall = (count: number) =>
      buildAnnGraph(
        circle,
        scanning((found) => found.slice(0, count)),
      ).pin.recall;
    expect([recall(9), recall(10)]).toEqual([0.9, 1]);
  });

  test('two builds of an ANN graph ask the same 200 queries', () => {
    const asked = () => {
      const queries: string[] = [];
      const listening = scanning();
      const build: typeof listening.build = (points, m, breadth) => {
        const { graph, file } = listening.build(points, m, breadth);
        expect([m, breadth]).toEqual([24, 160]);
        const search: typeof graph.search = (query, ef) => {
          if (ef === 32) queries.push([...query].join());
          return graph.search(query, ef);
        };
        return { graph: { search }, file };
      };
      buildAnnGraph(circle, { ...listening, build });
      return queries;
    };
    const queries = asked();
    expect(asked()).toEqual(queries);
    expect(queries.slice(0, 3)).toEqual(['33,-123', '90,90', '-51,-116']);
    expect(queries).toHaveLength(200);
    expect(new Set(queries).size).toBeGreaterThan(COUNT);
  });

  test('a garden of one unit gives no queries, and no ANN graph', () => {
    const one = layVectors({ dims: 2, mean: [0, 0], phrases: [2], texts: [0], data: Int8Array.of(127, 0, 0, 127) });
    const { pin, file } = buildAnnGraph(one, scanning());
    expect([pin.recall, pin.queries, file]).toEqual([0, 0, null]);
  });

  test('rows that cancel out give no query', () => {
    const data = Int8Array.of(127, 0, -127, 0);
    const { pin } = buildAnnGraph(
      layVectors({ dims: 2, mean: [0, 0], phrases: [1, 1], texts: [0, 0], data }),
      scanning(),
    );
    expect(pin.queries).toBe(0);
  });

  test('the threshold for an ANN graph is 150,000 rows', () => {
    expect(GRAPH_ROWS).toBe(150_000);
  });
});
