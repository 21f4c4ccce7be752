import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layVectors } from '../../../compiler/recall/index/vectors.ts';
import { SCALE } from '../../../compiler/recall/signals/lexical.ts';
import {
  discountOf,
  innerProduct,
  meanOf,
  quantise,
  scoreSemantic,
  scoreSemanticOf,
  type Vectors,
} from '../../../compiler/recall/signals/semantic.ts';

const DIMS = 8;
const component = fc.double({ min: -1, max: 1, noNaN: true });
const vector = fc.array(component, { minLength: DIMS, maxLength: DIMS }).map((it) => Float32Array.from(it));
const unitVector = vector.filter((it) => it.some((x) => Math.abs(x) > 0.01));
const NO_MEAN = new Array<number>(DIMS).fill(0);
const negative = (it: Float32Array) => it.map((x) => -x);

/** A unit's vectors, by kind. */
interface Said {
  readonly triggers: readonly Float32Array[];
  readonly phrases?: readonly Float32Array[];
  readonly long: Float32Array;
  readonly windows?: readonly Float32Array[];
}

/** Vectors of units, each with its triggers, its phrases, its long text and its windows. */
function vectorsOf(units: readonly Said[]): Vectors {
  const rows = units.flatMap(({ triggers, phrases = [], long, windows = [] }) =>
    [...triggers, ...phrases, long, ...windows].map((it) => quantise(it, NO_MEAN) ?? []),
  );
  return layVectors({
    dims: DIMS,
    mean: NO_MEAN,
    triggers: units.map(({ triggers }) => triggers.length),
    phrases: units.map(({ phrases = [] }) => phrases.length),
    texts: units.map(({ windows = [] }) => 1 + windows.length),
    data: Int8Array.from(rows.flatMap((row) => [...row])),
  });
}

const said = fc.record({
  triggers: fc.array(unitVector, { minLength: 1, maxLength: 3 }),
  phrases: fc.array(unitVector, { maxLength: 3 }),
  long: unitVector,
  windows: fc.array(unitVector, { maxLength: 8 }),
});
const units = fc.array(said, { minLength: 1, maxLength: 6 });

describe('DESIGN §6.7 the semantic signal', () => {
  test('the inner product is the sum of the products', () => {
    expect(innerProduct(Int8Array.of(1, -2, 127), Int8Array.of(3, 4, 127))).toBe(3 - 8 + 127 ** 2);
  });

  test('the semantic signal is a whole number between 0 and a million', () => {
    fc.assert(
      fc.property(units, unitVector, (all, query) => {
        for (const score of scoreSemantic(vectorsOf(all), quantise(query, NO_MEAN))) {
          expect(Number.isInteger(score) && score >= 0 && score <= SCALE).toBe(true);
        }
      }),
    );
  });

  test('with the mean held fixed, the semantic signal of a unit depends on its own rows alone', () => {
    fc.assert(
      fc.property(units, unitVector, (all, query) => {
        const asked = quantise(query, NO_MEAN);
        const together = scoreSemantic(vectorsOf(all), asked);
        all.forEach((one, i) => {
          expect(scoreSemantic(vectorsOf([one]), asked)[0]).toBe(together[i]);
        });
      }),
    );
  });

  test('phrases that come no nearer to an intent only take from the semantic signal, the more the more there are', () => {
    fc.assert(
      fc.property(unitVector, unitVector, (query, long) => {
        const none = (count: number) => ({
          triggers: [query],
          phrases: Array<Float32Array>(count).fill(negative(query)),
          long,
        });
        const scores = scoreSemantic(vectorsOf([0, 1, 2, 8, 16].map(none)), quantise(query, NO_MEAN));
        expect([...scores].sort((a, b) => b - a)).toEqual([...scores]);
        expect(new Set(scores).size).toBe(scores.length);
      }),
    );
  });

  test('the best of the long text and the windows counts, wherever it stands, and more windows take nothing off', () => {
    fc.assert(
      fc.property(unitVector, unitVector, fc.nat(7), (query, trigger, at) => {
        const far = Array<Float32Array>(8).fill(negative(query));
        const alone = { triggers: [trigger], long: query };
        const behind = { triggers: [trigger], long: negative(query), windows: far.with(at, query) };
        const before = { ...alone, windows: far };
        const scores = scoreSemantic(vectorsOf([alone, before, behind]), quantise(query, NO_MEAN));
        expect(new Set(scores).size).toBe(1);
      }),
    );
  });

  test('the semantic signal is 0 if the intent has no vector', () => {
    fc.assert(
      fc.property(units, (all) => {
        expect([...scoreSemantic(vectorsOf(all), null)]).toEqual(all.map(() => 0));
      }),
    );
  });
});

describe('DESIGN §6.3 int8 vectors', () => {
  test.each([
    ['null', null],
    ['zeros', new Float32Array(DIMS)],
    ['NaN', Float32Array.from({ length: DIMS }, () => Number.NaN)],
    ['infinities', Float32Array.from({ length: DIMS }, () => Number.POSITIVE_INFINITY)],
  ])('a vector of %s is quantised to none', (_, it) => {
    expect(quantise(it, NO_MEAN)).toBeNull();
  });

  test('a mean is computed from forty texts on, rounded to the millionth, and subtracted', () => {
    const row = Float32Array.from({ length: DIMS }, (_, i) => i / 3);
    expect(meanOf(new Array<Float32Array>(39).fill(row), DIMS)).toEqual(NO_MEAN);
    const mean = meanOf(new Array<Float32Array>(40).fill(row), DIMS);
    expect(mean[1]).toBe(0.333333);
    expect(quantise(row, mean)).toBeNull();
  });
});

describe('DESIGN §6.7 semantic scores in numbers', () => {
  // 127 × 127 × 5 parts are a million; triggers before the long text
  const scored = (parts: number) => Math.floor(1e6 * Math.sqrt((parts / (5 * 127 * 127)) ** 3));
  const vectors = layVectors({
    dims: 2,
    mean: [0, 0],
    triggers: [2, 0, 1, 0],
    phrases: [0, 0, 0, 0],
    texts: [1, 1, 0, 0],
    data: Int8Array.from(
      [
        [10, 0],
        [100, 7],
        [50, 50],
        [-20, 0],
        [30, 9],
      ].flat(),
    ),
  });
  const query = Int8Array.of(127, 0);
  const expected = [...[(2 * 100 + 3 * 50) * 127, 0, 2 * 30 * 127, 0].map(scored)];

  test('a semantic score is two parts the best phrase and three parts the text, to the power of 1.5; either can be missing', () => {
    expect(expected).toEqual([409_205, 0, 29_044, 0]);
    expect(scoreSemantic(vectors, query)).toEqual(Int32Array.from(expected));
    expect(scoreSemantic(vectors, Int8Array.of(-127, 0))[1]).toBe(29_044);
  });

  test('the semantic scores of some units leave those of the others unchanged', () => {
    for (const units of [[0], [2, 1], [3]]) {
      const scores = new Int32Array(4).fill(7);
      scoreSemanticOf(vectors, query, units, scores);
      expect(scores).toEqual(Int32Array.from(expected, (it, unit) => (units.includes(unit) ? it : 7)));
    }
  });

  test('a fortieth of a cosine is taken from the best row for each time that phrases double the rows', () => {
    expect([0, 1, 3, 7, 15].map((phrases) => discountOf(1, phrases))).toEqual([0, 403, 806, 1210, 1613]);
    expect([discountOf(4, 4), discountOf(4, 8), discountOf(0, 1)]).toEqual([403, 639, 403]);
    const data = Int8Array.of(100, 0, 100, 0);
    const rows = layVectors({ dims: 2, mean: [0, 0], triggers: [1], phrases: [1], texts: [0], data });
    expect([...scoreSemantic(rows, query)]).toEqual([scored(2 * (100 * 127 - 403))]);
    expect([...scoreSemantic(rows, Int8Array.of(3, 0))]).toEqual([0]);
  });

  test.each([
    [1, 698],
    [2, 1_976],
    [32, 126_479],
    [64, 357_737],
    [100, 698_705],
    [126, 988_212],
    [127, 1_000_000],
  ])('a cosine of %i parts of 127 is a score of %i millionths', (cosine, score) => {
    const counts = { triggers: [1], phrases: [0], texts: [1] };
    const own = layVectors({ dims: 1, mean: [0], ...counts, data: Int8Array.of(cosine, cosine) });
    expect([...scoreSemantic(own, Int8Array.of(127))]).toEqual([score]);
  });

  test('a semantic score is at most a million', () => {
    const own = layVectors({
      dims: 1,
      mean: [0],
      triggers: [1],
      phrases: [0],
      texts: [1],
      data: Int8Array.of(-128, -128),
    });
    expect(scoreSemantic(own, Int8Array.of(-128))).toEqual(Int32Array.of(SCALE));
  });

  test('a vector is centred, scaled to length 127 and rounded', () => {
    expect(quantise(Float32Array.of(3, 4), [])).toEqual(Int8Array.of(76, 102));
    expect(quantise(Float32Array.of(3, 4), [0, 4])).toEqual(Int8Array.of(127, 0));
    expect(quantise(Float32Array.of(0, -2), [])).toEqual(Int8Array.of(0, -127));
    expect(quantise(Float32Array.of(0.9e-6, 0), [])).toBeNull();
    expect(quantise(Float32Array.of(1.1e-6, 0), [])).toEqual(Int8Array.of(127, 0));
  });

  test('a mean is computed for each component', () => {
    const rows = Array.from({ length: 40 }, (_, at) => Float32Array.of(at, at % 2, -1));
    expect(meanOf(rows, 3)).toEqual([19.5, 0.5, -1]);
  });
});
