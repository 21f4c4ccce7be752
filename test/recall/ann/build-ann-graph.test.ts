import { describe, expect, test } from 'vitest';
import { buildAnnGraph, isExact, SHAPE } from '../../../compiler/recall/ann/build-ann-graph.ts';
import { graphRows } from '../../../compiler/recall/ann/graph-rows.ts';
import { layVectors } from '../../../compiler/recall/index/vectors.ts';
import { scanning } from '../index/scanning.ts';

describe('DESIGN §6.7 the measured recall of an ANN graph', () => {
  /** Units around a circle, so that each has neighbours of its own. */
  const COUNT = 60;
  /** Queries for a garden that is scanned. */
  const FEW = 20;
  const circle = layVectors({
    dims: 2,
    mean: [0, 0],
    triggers: Array<number>(COUNT).fill(1),
    phrases: [],
    texts: Array<number>(COUNT).fill(0),
    data: Int8Array.from({ length: 2 * COUNT }, (_, at) => {
      const angle = (2 * Math.PI * Math.floor(at / 2)) / COUNT;
      return Math.round(127 * (at % 2 === 0 ? Math.cos(angle) : Math.sin(angle)));
    }),
  });

  const built = (...how: Parameters<typeof scanning>) => buildAnnGraph(circle, scanning(...how))!;

  test('an ANN graph that finds everything is pinned with the smallest ef', () => {
    const { pin, file } = built();
    expect(pin).toEqual({ points: COUNT, ...SHAPE, ef: 32, recall: 1, queries: FEW });
    expect(file).toEqual(Buffer.from('graph'));
    expect(isExact(pin)).toBe(true);
  });

  test('an ANN graph is pinned with the first ef that finds 99 of 100, at most the first that covers all points', () => {
    const from = (least: number) => built((found, breadth) => (breadth < least ? found.slice(0, 3) : found)).pin;
    expect([33, 49, 64, 65].map((least) => from(least).ef)).toEqual([48, 64, 64, 64]);
    expect([64, 65].map((least) => isExact(from(least)))).toEqual([true, false]);
  });

  test('no search is broader than the number of points, where that is a breadth itself', () => {
    const breadth = (count: number) => {
      const data = Int8Array.from({ length: 2 * count }, (_, at) => (at % 2 === 0 ? 100 : at));
      const all = { triggers: Array<number>(count).fill(1), phrases: [], texts: Array<number>(count).fill(0) };
      const finding = scanning(() => []);
      return buildAnnGraph(layVectors({ dims: 2, mean: [0, 0], data, ...all }), finding)?.pin.ef;
    };
    expect([31, 32, 33, 48, 49].map(breadth)).toEqual([32, 32, 48, 48, 64]);
  });

  test('the breadths of an ANN graph grow by a third and by a half in turns', () => {
    const rows = 600;
    const data = Int8Array.from({ length: 2 * rows }, (_, at) => (at % 2 === 0 ? 100 : (at % 250) - 125));
    const wide = layVectors({
      ...{ dims: 2, mean: [0, 0], data },
      ...{ triggers: Array<number>(rows).fill(1), phrases: [], texts: Array<number>(rows).fill(0) },
    });
    const from = (least: number) =>
      buildAnnGraph(
        wide,
        scanning((found, breadth) => (breadth < least ? [] : found)),
      )?.pin.ef;
    const found = [32, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769].map(from);
    expect(found).toEqual([32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 768]);
  });

  test('an ANN graph that finds too little is pinned with its recall, and is not exact', () => {
    const { pin } = built((found) => found.slice(0, 5));
    expect(pin).toMatchObject({ ef: 64, recall: 0.5, queries: FEW });
    expect(isExact(pin)).toBe(false);
  });

  test('the recall of an ANN graph is its share of the ten best units', () => {
    const recall = (count: number) => built((found) => found.slice(0, count)).pin.recall;
    expect([recall(9), recall(10)]).toEqual([0.9, 1]);
  });

  test('a graph that may answer is measured by 200 queries, one of a garden that is scanned by 20, or one a row', () => {
    const queries = (rows: number) => {
      const data = Int8Array.from({ length: 2 * rows }, (_, at) => (at % 2 === 0 ? 100 : (at % 250) - 125));
      const all = { triggers: Array<number>(rows).fill(1), phrases: [], texts: Array<number>(rows).fill(0) };
      return buildAnnGraph(layVectors({ dims: 2, mean: [0, 0], data, ...all }), scanning())?.pin.queries;
    };
    const least = graphRows({ ef: 32 });
    expect([7, least - 1, least].map(queries)).toEqual([7, 20, 200]);
  });

  test('two builds of an ANN graph ask the same queries', () => {
    const asked = () => {
      const queries: string[] = [];
      const listening = scanning();
      const open: typeof listening.open = (file, points, shape) => {
        const graph = listening.open(file, points, shape);
        expect(shape).toEqual(SHAPE);
        const search: typeof graph.search = (query, ef) => {
          queries.push([...query].join());
          return graph.search(query, ef);
        };
        return { ...graph, search };
      };
      buildAnnGraph(circle, { ...listening, open });
      return queries;
    };
    const queries = asked();
    expect(asked()).toEqual(queries);
    expect(queries.slice(0, 3)).toEqual(['58,-113', '63,110', '-103,-75']);
    expect(queries).toHaveLength(FEW);
    expect(new Set(queries).size).toBeGreaterThan(FEW / 2);
  });

  test('a query that one breadth missed is asked first at the next one, where every query is asked once', () => {
    const hard = '-103,-75';
    const asked = new Map<number, string[]>();
    const library = scanning();
    const open: typeof library.open = (file, points, shape) => {
      const graph = library.open(file, points, shape);
      const search: typeof graph.search = (query, ef) => {
        const name = [...query].join();
        asked.set(ef, [...(asked.get(ef) ?? []), name]);
        return name === hard && ef < 64 ? [] : graph.search(query, ef);
      };
      return { ...graph, search };
    };
    const built = buildAnnGraph(circle, { ...library, open });
    expect(built?.pin).toMatchObject({ ef: 64, recall: 1, queries: FEW });
    const [narrow = [], wider, last = []] = [32, 48, 64].map((ef) => asked.get(ef));
    expect(narrow.at(-1)).toBe(hard);
    expect(wider).toEqual([hard]);
    expect(last[0]).toBe(hard);
    expect(last).toHaveLength(FEW);
  });

  test('rows that cancel out give no query', () => {
    const data = Int8Array.of(127, 0, -127, 0);
    const { pin } = buildAnnGraph(
      layVectors({ dims: 2, mean: [0, 0], triggers: [1, 1], phrases: [0, 0], texts: [0, 0], data }),
      scanning(),
    )!;
    expect(pin.queries).toBe(2);
  });

  test('a garden whose rows all cancel out is measured without a query', () => {
    const zero = layVectors({
      dims: 2,
      mean: [0, 0],
      triggers: [1],
      phrases: [0],
      texts: [0],
      data: Int8Array.of(0, 0),
    });
    expect(buildAnnGraph(zero, scanning())?.pin).toMatchObject({ points: 1, ef: 32, recall: 0, queries: 0 });
  });

  test('a garden without vectors gets no ANN graph', () => {
    const none = layVectors({ dims: 2, mean: [0, 0], triggers: [0], phrases: [0], texts: [0], data: new Int8Array() });
    expect(buildAnnGraph(none, scanning())).toBeNull();
  });
});

describe('DESIGN §6.7 the size from which an ANN graph answers', () => {
  test('the broader a search has to be, the larger is a garden whose queries use its graph', () => {
    expect([32, 128, 1024].map((ef) => graphRows({ ef }))).toEqual([10_440, 26_760, 179_080]);
  });
});
