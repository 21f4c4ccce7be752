import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lookUp, tokenVectors } from '../../../compiler/recall/encoder/static-table.ts';

const table = { dims: 2, rows: Int8Array.of(1, 2, 3, 4, -1, -2, 0, 0), scales: Float32Array.of(1, 0.5, 1, 1) };
const vectors = tokenVectors(table);
/** Of length 1. */
const towards = (x: number, y: number) => [x / Math.hypot(x, y), y / Math.hypot(x, y)];

describe('the vector of a text', () => {
  test.each<[string, number[], number, [number, number]]>([
    ['one token', [0], 9, [1, 2]],
    ['a token with a scale', [1], 9, [3, 4]],
    ['the sum of its tokens', [0, 1], 9, [2.5, 4]],
    ['a token twice', [0, 0, 1], 9, [3.5, 6]],
    ['the tokens up to the limit', [0, 1, 1], 1, [1, 2]],
    ['as many tokens as the limit', [0, 1, 2], 2, [2.5, 4]],
  ])('the vector of a text is that of %s', (_, ids, limit, [x, y]) => {
    const vector = lookUp(vectors, ids, limit)!;
    const expected = towards(x, y);
    expect([...vector]).toEqual(expected.map((it) => expect.closeTo(it, 6) as number));
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6);
  });

  test('no more than 4096 vectors of tokens are kept, however many a text asks for', () => {
    const { of } = tokenVectors({ dims: 1, rows: new Int8Array(4097), scales: new Float32Array(4097) });
    const first = of(0);
    for (let id = 1; id < 4096; id++) of(id);
    expect(of(0)).toBe(first);
    of(4096);
    expect(of(0)).not.toBe(first);
  });

  test('a vector has the bits of adding one token after the other, however many there are', () => {
    const dims = 3;
    const rows = fc.int8Array({ minLength: 5 * dims, maxLength: 5 * dims });
    const scales = fc.float32Array({ minLength: 5, maxLength: 5, noNaN: true, noDefaultInfinity: true, max: 100 });
    const ids = fc.array(fc.nat({ max: 4 }), { maxLength: 14 });
    fc.assert(
      fc.property(rows, scales, ids, fc.nat({ max: 14 }), (data, sizes, tokens, limit) => {
        const read = tokens.slice(0, limit);
        const sums = Array.from({ length: dims }, (_, d) =>
          read.reduce((sum, id) => sum + Math.fround((data[id * dims + d] ?? 0) * (sizes[id] ?? 0)), 0),
        );
        const means = sums.map((it) => Math.fround(it / read.length));
        const length = Math.fround(Math.sqrt(means.reduce((all, x) => Math.fround(all + x * x), 0)));
        const expected = length > 0 ? Float32Array.from(means, (x) => x / length) : null;
        expect(lookUp(tokenVectors({ dims, rows: data, scales: sizes }), tokens, limit)).toEqual(expected);
      }),
    );
  });

  test('a token has the same vector after so many others that the store of vectors was cleared', () => {
    const rows = Int8Array.from({ length: 2 * 10_000 }, (_, i) => (i % 250) - 125);
    const { of } = tokenVectors({ dims: 2, rows, scales: new Float32Array(10_000).fill(0.25) });
    const before = [...of(7)];
    expect(before).toEqual([(14 - 125) / 4, (15 - 125) / 4]);
    for (let id = 0; id < 10_000; id++) of(id);
    expect([...of(7)]).toEqual(before);
  });
});
