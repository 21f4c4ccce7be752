import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildLinks, reach, scoreGraph } from '../../../compiler/recall/signals/link-graph.ts';

const SIZE = 12;
const unit = fc.nat({ max: SIZE - 1 });
const edges = fc.array(fc.tuple(unit, unit), { maxLength: 30 });
const scores = fc
  .array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 }), fc.nat({ max: 1_000_000 })), {
    minLength: SIZE,
    maxLength: SIZE,
  })
  .map((it) => Int32Array.from(it));

/** Closeness in the words of the design: the best score of any other unit within two hops, halved per hop. */
function closeness(pairs: readonly (readonly [number, number])[], score: Int32Array, of: number): number {
  const near = (a: number, b: number) =>
    a !== b && pairs.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
  const all = [...score.keys()];
  const others = all.filter((it) => it !== of);
  const one = others.filter((it) => near(of, it)).map((it) => score[it]! >> 1);
  const two = others
    .filter((it) => all.some((between) => near(of, between) && near(between, it)))
    .map((it) => score[it]! >> 2);
  return Math.max(0, ...one, ...two);
}

describe('DESIGN §6.7 closeness', () => {
  test('closeness is the best score within two hops, halved per hop', () => {
    fc.assert(
      fc.property(edges, scores, (pairs, score) => {
        const expected = [...score.keys()].map((it) => closeness(pairs, score, it));
        expect([...scoreGraph(buildLinks(SIZE, pairs), score)]).toEqual(expected);
      }),
    );
  });

  test('closeness of some units equals that in the whole garden', () => {
    fc.assert(
      fc.property(edges, scores, fc.array(unit), (pairs, score, some) => {
        const links = buildLinks(SIZE, pairs);
        const all = scoreGraph(links, score);
        const expected = [...all].map((it, number) => (some.includes(number) ? it : 0));
        expect([...scoreGraph(links, score, some)]).toEqual(expected);
      }),
    );
  });

  test('closeness comes only from units within two hops', () => {
    fc.assert(
      fc.property(edges, scores, unit, (pairs, score, of) => {
        const links = buildLinks(SIZE, pairs);
        const within = reach(links, [of], 2);
        const known = score.map((it, number) => (within.has(number) ? it : 0));
        expect(scoreGraph(links, known, [of])[of]).toBe(scoreGraph(links, score, [of])[of]);
      }),
    );
  });
});
