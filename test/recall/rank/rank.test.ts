import { describe, expect, test } from 'vitest';
import type { SearchIndex } from '../../../compiler/recall/index/search-index.ts';
import {
  mixMatched,
  mixTotal,
  rankUnits,
  scoreUnits,
  signalsOf,
  totalsOf,
  weightsOf,
} from '../../../compiler/recall/rank/rank.ts';
import { buildLinks } from '../../../compiler/recall/signals/link-graph.ts';
import { plant, type Planted } from '../garden.ts';

const every = () => true;

describe('§21.3.3 the weights of the signals', () => {
  test('weights are 0.35, 0.50 and 0.15, and without vectors 0.70 and 0.30 for words and links', () => {
    expect(weightsOf(signalsOf(true))).toEqual({ lexical: 0.35, semantic: 0.5, graph: 0.15 });
    expect(weightsOf(signalsOf(false))).toEqual({ lexical: 0.7, graph: 0.3 });
  });

  const lexical = Int32Array.of(1_000_000, 100, 0);
  const semantic = Int32Array.of(1_000_000, 0, 200);
  const graph = Int32Array.of(1_000_000, 10, 20);

  test('the match of a unit is the weighted mean of words and meaning', () => {
    expect(mixMatched(lexical, semantic)).toEqual(Int32Array.of(1_000_000, 41, 117));
    expect(mixMatched(lexical, null)).toBe(lexical);
  });

  test('the score is the weighted mean of all signals, at most a million, and 0 for units not asked for', () => {
    expect(mixTotal(lexical, semantic, graph)).toEqual(Int32Array.of(1_000_000, 36, 103));
    expect(mixTotal(lexical, null, graph)).toEqual(Int32Array.of(1_000_000, 73, 6));
    expect(mixTotal(lexical, semantic, graph, [2])).toEqual(Int32Array.of(0, 0, 103));
    expect(mixTotal(Int32Array.of(2e6), null, Int32Array.of(2e6))).toEqual(Int32Array.of(1_000_000));
  });
});

describe('DESIGN §6.6 the ranking', () => {
  const ranked = (total: number[], exact: number[] = [], usable: (unit: number) => boolean = every) =>
    rankUnits(
      { total: Int32Array.from(total), exact: new Set(exact) } as unknown as Parameters<typeof rankUnits>[0],
      usable,
    );

  test.each<[string, number[], number[], (unit: number) => boolean, number[]]>([
    ['goes by score', [10, 30, 20], [], every, [1, 2, 0]],
    ['breaks ties by name', [10, 10, 10], [], every, [0, 1, 2]],
    ['leaves out a unit without a score', [10, 0, 5], [], every, [0, 2]],
    ['begins with exact names, by score', [10, 30, 20, 40], [0, 2], every, [2, 0, 3, 1]],
    ['begins with exact names, equal scores by name', [0, 30, 0], [2, 0], every, [0, 2, 1]],
    ['leaves out a unit that cannot be used', [10, 30, 20, 40], [0, 2], (unit) => unit > 1, [2, 3]],
  ])('the ranking %s', (_, total, exact, usable, expected) => {
    expect(ranked(total, exact, usable)).toEqual(expected);
  });

  test('the ranking has at most two hundred units, exact names included', () => {
    const total = Array.from({ length: 300 }, (_, unit) => 1000 - unit);
    expect(ranked(total)).toEqual([...Array(200).keys()]);
    expect(ranked(total, [299, 298])).toEqual([298, 299, ...Array(198).keys()]);
  });
});

describe('DESIGN §6.7 only units that can be ranked are scored', () => {
  test('a unit that a link brings just to the last score is scored, and wins by name; the next lower one is not', () => {
    // a link gives half of the best match: with its weight of 15 it makes up for 150,000.9 of the weight of 35
    const matched = [350_005, 700_004, ...Array<number>(199).fill(500_007), 350_004];
    const units = matched.length;
    const half = 500_000_000;
    const sumOf = (score: number) => Math.ceil((score * half) / (1e6 - score));
    const index = {
      names: matched.map((_, at) => `u${at}`),
      named: new Map(),
      lexical: {
        ...{ terms: ['golf'], idf: [1_000_000], unknown_idf: 1_000_000, starts: [0, 2 * units] },
        postings: Int32Array.from(matched.flatMap((score, unit) => [unit, sumOf(score)])),
        ...{ half, deductions: [] },
      },
      terms: new Map([['golf', 0]]),
      links: buildLinks(units, [[0, 1]]),
      vectors: null,
      low_confidence: 0,
    } as unknown as SearchIndex;
    const scores = scoreUnits(index, 'golf', null, { usable: every, wanted: [] });
    expect([0, 1, 2, 200, 201].map((unit) => scores.total[unit])).toEqual([350_004, 542_503, 350_004, 350_004, 0]);
    expect(rankUnits(scores, every).slice(0, 3)).toEqual([1, 0, 2]);
    expect(rankUnits(scores, every)).toEqual(rankUnits(scoreUnits(index, 'golf', null), every));
    expect(totalsOf(index, 'golf', null)).toEqual(scoreUnits(index, 'golf', null).total);
  });

  const WORDS = ['alpha', 'bravo', 'carol', 'delta', 'echo', 'fox', 'golf'];
  /** Far more units than are ranked, with close scores and links between them. */
  const CROWD: Planted[] = Array.from({ length: 420 }, (_, at) => ({
    name: `u${String(at).padStart(3, '0')}`,
    content: `${WORDS.slice(0, 1 + (at % 7)).join(' ')} ${'filler '.repeat(at % 11)}`,
    links: at % 3 === 0 ? [`u${String((at * 17) % 420).padStart(3, '0')}`] : [],
  }));

  test('the ranking of some usable units equals that of all units with the same scores', async () => {
    const { index } = await plant(CROWD);
    const usable = (unit: number) => unit % 5 !== 0;
    for (const intent of ['alpha', 'delta golf', 'alpha bravo carol delta echo fox golf', 'golf', 'u007 alpha']) {
      const whole = scoreUnits(index, intent, null);
      const some = scoreUnits(index, intent, null, { usable, wanted: [0, 419] });
      expect(rankUnits(some, usable)).toEqual(rankUnits(whole, usable));
      expect([some.total[0], some.total[419]]).toEqual([whole.total[0], whole.total[419]]);
      expect(some).toMatchObject({ semantic: null, approximate: false, lexical: whole.lexical });
      for (const [unit, score] of some.total.entries()) if (score !== 0) expect(score).toBe(whole.total[unit]);
    }
  });

  test('a unit that no link could bring into the ranking is not scored', async () => {
    const of = (kind: string, count: number, content: string): Planted[] =>
      Array.from({ length: count }, (_, at) => ({ name: `${kind}${String(at).padStart(3, '0')}`, content }));
    const [near, far] = ['golf filler', `golf ${'filler '.repeat(50)}`];
    const { index } = await plant([...of('a', 210, 'golf'), ...of('b', 5, near), ...of('c', 5, far)]);
    const isScored = (filter?: { usable: () => boolean; wanted: number[] }) =>
      ['a209', 'b000', 'c000'].map(
        (name) => scoreUnits(index, 'golf', null, filter).total[index.named.get(name)!]! > 0,
      );
    expect(isScored()).toEqual([true, true, true]);
    expect(isScored({ usable: every, wanted: [] })).toEqual([true, true, false]);
    expect(isScored({ usable: every, wanted: [215] })).toEqual([true, true, true]);
    const few = await plant([...of('a', 199, 'golf'), ...of('c', 1, far)]);
    expect(scoreUnits(few.index, 'golf', null, { usable: every, wanted: [] }).total[199]).toBeGreaterThan(0);
  });
});
