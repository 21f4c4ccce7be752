import { describe, expect, test } from 'vitest';
import { pointsOf } from '../../../compiler/recall/ann/ann-port.ts';
import type { SearchIndex } from '../../../compiler/recall/index/search-index.ts';
import { approximateSearch } from '../../../compiler/recall/rank/approximate-search.ts';
import { scoreUnits } from '../../../compiler/recall/rank/rank.ts';
import { indexOf, toUnit } from '../../bench/recall/units.ts';

const PIN = { points: 0, m: 0, ef_construction: 0, ef: 7, recall: 1, queries: 0 };
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g-x', 'h'];
/** Each unit has its own direction; a word is in `d` alone. Links lead from `a` to `c`, `c` to `e`, and `e` to `f`. */
const LINKS: Readonly<Record<string, string[]>> = { a: ['c'], c: ['e'], e: ['f'] };
const directions = (text: string) => Float32Array.from(NAMES, (name) => (text.includes(`say ${name}`) ? 10 : 1));
const encoder = { dims: NAMES.length, encode: (texts: readonly string[]) => Promise.resolve(texts.map(directions)) };
const index: SearchIndex = await indexOf(
  NAMES.map((name) => ({
    ...toUnit({ name, description: `say ${name}`, intents: [], content: name === 'd' ? 'ladder' : 'none' }),
    links: LINKS[name] ?? [],
  })),
  encoder,
);
const unitOf = (name: string) => NAMES.indexOf(name);
const query = Int8Array.from(NAMES, (name) => (name === 'a' ? 120 : 10));

/** A search with a graph that finds the points of these units. */
function search(found: readonly string[], intent: string, wanted: readonly string[] = []) {
  const { units } = pointsOf(index.vectors!);
  const asked: unknown[] = [];
  const graph = {
    search: (...args: unknown[]) => {
      asked.push(args);
      return found.map((name) => units.indexOf(unitOf(name)));
    },
    close: () => undefined,
  };
  const scores = approximateSearch(index, { pin: PIN, units, graph }, intent, query, wanted.map(unitOf));
  expect(asked).toEqual([[query, 7]]);
  return { ...scores, scored: NAMES.filter((_, unit) => scores.total[unit]! > 0) };
}

describe('DESIGN §6.7 an approximate search', () => {
  test('an approximate search scores what the graph finds and its linked units as an exhaustive one does', () => {
    const all = scoreUnits(index, 'zzz', query);
    const { total, graph, semantic, lexical, exact, approximate, scored } = search(['a'], 'zzz');
    expect(scored).toEqual(['a', 'c']);
    for (const name of scored) {
      const unit = unitOf(name);
      expect([total[unit], graph[unit], semantic![unit]]).toEqual([
        all.total[unit],
        all.graph[unit],
        all.semantic![unit],
      ]);
    }
    expect(all.graph[unitOf('c')]).toBeGreaterThan(0);
    expect([lexical, exact, approximate]).toEqual([all.lexical, new Set(), true]);
  });

  test('the closeness of a candidate counts units two hops away that are no candidates', () => {
    const all = scoreUnits(index, 'zzz', query);
    const { graph, total } = search(['f'], 'zzz');
    expect(graph[unitOf('f')]).toBe(all.graph[unitOf('f')]);
    expect(graph[unitOf('e')]).toBe(all.graph[unitOf('e')]);
    expect([total[unitOf('c')], total[unitOf('a')]]).toEqual([0, 0]);
  });

  test.each<[string, string, string[], string]>([
    ['of the words', 'ladder', [], 'd'],
    ['of exact names', 'see g-x', [], 'g-x'],
    ['that are wanted', 'zzz', ['h'], 'h'],
  ])('an approximate search finds units %s even if the graph does not', (_, intent, wanted, name) => {
    const all = scoreUnits(index, intent, query);
    const { total } = search(['a'], intent, wanted);
    expect(total[unitOf(name)]).toBe(all.total[unitOf(name)]);
    expect(total[unitOf(name)]).toBeGreaterThan(0);
    expect(search(['a'], 'zzz').total[unitOf(name)]).toBe(0);
  });

  test('an approximate search without vectors throws a TypeError', () => {
    const ann = { pin: PIN, units: Int32Array.of(0), graph: { search: () => [0], close: () => undefined } };
    expect(() => approximateSearch({ ...index, vectors: null }, ann, 'zzz', query, [])).toThrow(TypeError);
  });
});
