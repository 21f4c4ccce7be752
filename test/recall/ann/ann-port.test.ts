import { describe, expect, test } from 'vitest';
import { GraphPin, pointsOf } from '../../../compiler/recall/ann/ann-port.ts';
import { layVectors } from '../../../compiler/recall/index/vectors.ts';

const PIN: GraphPin = { points: 1, m: 16, ef_construction: 200, ef: 50, recall: 0.99, queries: 0 };
const isRead = (over: Partial<GraphPin>) => GraphPin.safeParse({ ...PIN, ...over }).success;

describe('what a bundle may ask of the native library', () => {
  test.each<[keyof GraphPin, number, number]>([
    ['m', 2, 64],
    ['ef_construction', 1, 10_000],
    ['ef', 1, 10_000],
  ])('the %s of a graph is read from %i up to %i, and no other is', (parameter, least, most) => {
    expect([least - 1, least, most, most + 1].map((it) => isRead({ [parameter]: it }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  test('a graph without points, and a recall that is no share, are not read', () => {
    expect([0, 1].map((points) => isRead({ points }))).toEqual([false, true]);
    expect([-0.01, 0, 1, 1.01].map((recall) => isRead({ recall }))).toEqual([false, true, true, false]);
    expect([-1, 0].map((queries) => isRead({ queries }))).toEqual([false, true]);
  });
});

describe('the points of a graph', () => {
  test('a point is two parts a trigger or phrase and three parts the long text of its unit, or what there is of them', () => {
    const points = pointsOf(
      layVectors({
        ...{ dims: 1, mean: [0], triggers: [1, 0, 1, 1, 0], phrases: [0, 0, 0, 1, 0], texts: [1, 1, 0, 1, 0] },
        data: Int8Array.of(10, 20, 30, 40, 50, 60, 70),
      }),
    );
    expect([...points.units]).toEqual([0, 1, 2, 3, 3]);
    expect([...points.units.keys()].map((it) => points.at(it))).toEqual([[80], [90], [80], [310], [330]]);
    expect(points.count).toBe(5);
  });

  test('each window is a point with the title of its unit, and alone in a unit without one', () => {
    const points = pointsOf(
      layVectors({
        ...{ dims: 1, mean: [0], triggers: [2, 0], phrases: [1, 0], texts: [3, 2] },
        // two triggers, the second of them the title; a phrase; the long text and two windows
        data: Int8Array.of(1, 2, 3, 10, 20, 30, 40, 50),
      }),
    );
    expect([...points.units]).toEqual([0, 0, 0, 0, 0, 1, 1]);
    expect([...points.units.keys()].map((it) => points.at(it))).toEqual([[32], [34], [36], [64], [94], [120], [150]]);
  });
});
