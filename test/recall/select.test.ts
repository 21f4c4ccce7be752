import { describe, expect, test } from 'vitest';
import type { RecallGarden } from '../../compiler/recall/recall-garden.ts';
import { select } from '../../compiler/recall/select.ts';

/** A garden whose units have these tokens; of them some guaranteed, some prepended. */
const garden = (guaranteed: readonly number[] = [], prepended: readonly number[] = []) =>
  ({
    guaranteed,
    facts: Array.from({ length: 10 }, (_, unit) => ({
      delivery: { force_position: prepended.includes(unit) ? 'prepend' : 'append' },
    })),
  }) as unknown as RecallGarden;

interface Asked {
  readonly tokens?: readonly number[];
  readonly hints?: readonly (number | null)[];
  readonly absent?: readonly number[];
  readonly about?: number;
  readonly max_chunks?: number;
  readonly token_budget?: number;
}

function picked(of: RecallGarden, ranked: readonly number[], over: Asked = {}) {
  const { tokens = [], hints = [], absent = [], about = null, max_chunks = 5, token_budget = 100 } = over;
  const serve = (unit: number) =>
    absent.includes(unit) ? null : { content: '', digest: '', source: 'stigmem' as const, tokens: tokens[unit] ?? 10 };
  const asked = hints.map((unit, at) => ({ unit, text: `hint ${at}` }));
  const limits = { max_chunks, token_budget, hints: asked, about };
  const serving = { serve, absent: new Map(absent.map((unit) => [unit, 'expired' as const])) };
  const { outcomes, ...rest } = select(of, limits, serving, ranked);
  return { ...rest, outcomes: Object.fromEntries(outcomes) };
}

describe('§21.3.3 the selection of chunks', () => {
  test('the order is: prepended units, hints as given, ranked units, other guaranteed units', () => {
    const of = garden([1, 2, 3], [3]);
    expect(picked(of, [6, 7], { hints: [5, 4] })).toEqual({
      order: [3, 5, 4, 6, 7, 1, 2],
      outcomes: { 1: 'guaranteed', 2: 'guaranteed', 3: 'guaranteed', 4: 'hint', 5: 'hint', 6: 'ranked', 7: 'ranked' },
      missed: [],
      budget: 50,
      displaced: null,
    });
  });

  test('each unit is selected once, as a hint before as guaranteed, and as guaranteed before as ranked', () => {
    expect(picked(garden([1, 2]), [1, 6], { hints: [2, 2] })).toMatchObject({
      order: [2, 6, 1],
      outcomes: { 1: 'guaranteed', 2: 'hint', 6: 'ranked' },
      budget: 80,
      displaced: null,
    });
    expect(picked(garden([1, 2], [2]), [6], { hints: [4, 2] }).order).toEqual([2, 4, 6, 1]);
  });

  test('hints count toward max_chunks, and guaranteed units do not', () => {
    expect(picked(garden([1, 2, 3]), [5, 6, 7], { max_chunks: 2, hints: [4] })).toMatchObject({
      order: [4, 5, 1, 2, 3],
      outcomes: { 5: 'ranked', 6: 'over_max_chunks', 7: 'over_max_chunks' },
    });
    expect(picked(garden(), [5], { max_chunks: 2, hints: [4, 3, 2] }).order).toEqual([4, 3, 2]);
  });

  test('the best ranked unit comes with any budget', () => {
    expect(picked(garden(), [5, 6], { tokens: Array<number>(10).fill(500) })).toMatchObject({
      order: [5],
      outcomes: { 5: 'ranked', 6: 'over_token_budget' },
    });
  });

  test('a ranked unit that does not fit into the rest of the budget is skipped, and the next one is tried', () => {
    const tokens = [0, 0, 0, 0, 0, 50, 40, 11, 10, 1];
    expect(picked(garden(), [5, 6, 7, 8, 9], { tokens })).toMatchObject({
      order: [5, 6, 8],
      outcomes: { 7: 'over_token_budget', 9: 'over_token_budget' },
    });
    expect(picked(garden([1]), [5, 6], { tokens: [0, 20, 0, 0, 0, 40, 40] }).order).toEqual([5, 6, 1]);
    expect(picked(garden([1]), [5, 6], { tokens: [0, 21, 0, 0, 0, 40, 40] }).order).toEqual([5, 1]);
  });

  test('a unit that cannot be served is not selected, and its hint is missed', () => {
    expect(picked(garden([1, 2], [1]), [6], { hints: [null, 3, 4], absent: [1, 3] })).toEqual({
      order: [4, 6, 2],
      outcomes: { 2: 'guaranteed', 4: 'hint', 6: 'ranked' },
      missed: ['hint 0', 'hint 1'],
      budget: 80,
      displaced: null,
    });
  });

  test('the unit about a file has the last ranked place, and never that of the best ranked one', () => {
    expect(picked(garden([1]), [5, 6, 7], { about: 9, max_chunks: 3 })).toMatchObject({
      order: [5, 6, 9, 1],
      outcomes: { 7: 'displaced', 9: 'files' },
      displaced: 7,
    });
    expect(picked(garden([1]), [5, 6], { about: 9, max_chunks: 3 }).order).toEqual([5, 6, 9, 1]);
    expect(picked(garden([1]), [5, 6], { about: 9, max_chunks: 1 })).toMatchObject({ order: [5, 1], displaced: null });
    expect(picked(garden(), [5], { about: 9, max_chunks: 1, hints: [4] }).order).toEqual([4]);
  });

  test('the unit about a file fits the tokens that the last ranked unit leaves, or is named as too large', () => {
    const of = (tokens: number) =>
      picked(garden(), [5, 6], { about: 9, max_chunks: 2, tokens: [0, 0, 0, 0, 0, 60, 30, 0, 0, tokens] });
    expect(of(40)).toMatchObject({ order: [5, 9], displaced: 6 });
    expect(of(41)).toMatchObject({ order: [5, 6], outcomes: { 9: 'over_token_budget' }, displaced: null });
  });
});
