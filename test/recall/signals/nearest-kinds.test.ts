import { describe, expect, test } from 'vitest';
import { layVectors } from '../../../compiler/recall/index/vectors.ts';
import { nearestKinds } from '../../../compiler/recall/signals/semantic.ts';

describe('which row of a unit is nearest to an intent', () => {
  test('the row that is nearest to an intent is a trigger, a phrase, or none', () => {
    const data = Int8Array.from([10, 0, 100, 0, 5, 0, 100, 0, 10, 0, -5, 0, -5, 0, 90, 0]);
    const rows = layVectors({ dims: 2, mean: [0, 0], triggers: [1, 1, 1], phrases: [1, 1, 1], texts: [1, 0, 1], data });
    expect(nearestKinds(rows, Int8Array.of(127, 0))).toEqual(['phrase', 'trigger', null]);
    expect(nearestKinds(rows, null)).toEqual([]);
  });

  test('a row is near to an intent from a product of one on, and of equal ones the first is nearest', () => {
    const kinds = (...rows: readonly [number, number]) => {
      const one = { dims: 1, mean: [0], triggers: [1], phrases: [1], texts: [0] };
      return nearestKinds(layVectors({ ...one, data: Int8Array.from(rows) }), Int8Array.of(1));
    };
    expect(kinds(1, 0)).toEqual(['trigger']);
    expect(kinds(0, 1)).toEqual(['phrase']);
    expect(kinds(0, 0)).toEqual([null]);
    expect(kinds(1, 1)).toEqual(['trigger']);
    expect(kinds(1, 2)).toEqual(['phrase']);
  });
});
