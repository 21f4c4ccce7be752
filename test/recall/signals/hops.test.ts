import { describe, expect, test } from 'vitest';
import { buildLinks, CONSTANTS, reach, scoreGraph } from '../../../compiler/recall/signals/link-graph.ts';

/** 0 – 1 – 2 – 3, and 4 alone. */
const chain = buildLinks(5, [
  [2, 1],
  [0, 1],
  [1, 0],
  [3, 2],
  [4, 4],
]);

describe('DESIGN §6.7 links', () => {
  test('links count in both directions and once, sorted by unit, without loops', () => {
    expect(chain).toEqual({ starts: Int32Array.of(0, 1, 3, 5, 6, 6), targets: Int32Array.of(1, 0, 2, 1, 3, 2) });
    expect(buildLinks(2, [])).toEqual({ starts: Int32Array.of(0, 0, 0), targets: new Int32Array() });
    expect(
      buildLinks(12, [
        [0, 11],
        [0, 2],
      ]).targets,
    ).toEqual(Int32Array.of(2, 11, 0, 0));
  });

  test.each<[number[], number, number[]]>([
    [[0], 0, [0]],
    [[0], 1, [0, 1]],
    [[0], 2, [0, 1, 2]],
    [[0, 3], 1, [0, 1, 2, 3]],
    [[2], 2, [0, 1, 2, 3]],
    [[4], 2, [4]],
    [[], 2, []],
  ])('the units %j reach in %i hops the right units', (from, hops, expected) => {
    expect([...reach(chain, from, hops)].sort()).toEqual(expected);
  });

  test('closeness is half the best neighbour or a quarter of the best one after it, rounded down', () => {
    const scores = Int32Array.of(1_000_001, 3, 0, 8, 500);
    expect(scoreGraph(chain, scores)).toEqual(Int32Array.of(1, 500_000, 250_000, 0, 0));
    expect(scoreGraph(chain, scores, [2, 3])).toEqual(Int32Array.of(0, 0, 250_000, 0, 0));
    expect(CONSTANTS).toEqual({ hops: 2, per_hop: 0.5 });
  });
});
