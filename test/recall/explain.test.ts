import { describe, expect, test } from 'vitest';
import { buildIndex, loadIndex } from '../../compiler/recall/index/search-index.ts';
import { readyGarden, type RecallGarden } from '../../compiler/recall/recall-garden.ts';
import { recall } from '../../compiler/recall/recall.ts';
import { RecallRequest } from '../../compiler/schema/api/recall.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { indexed, NOW, plant, type Planted } from './garden.ts';
import { scanning } from './index/scanning.ts';

/** Each unit has a direction of its own. */
const UNITS: readonly Planted[] = ['a', 'b', 'c', 'd'].map((name) => ({ name, description: `say ${name}` }));
const encode = (texts: readonly string[]) =>
  Promise.resolve(texts.map((text) => Float32Array.from(UNITS, ({ name }) => (text.includes(`say ${name}`) ? 1 : 0))));
const encoder = { dims: UNITS.length, encode };
const query = Int8Array.of(127, 64, 0, 0);

/** A garden with a graph that finds these many points. */
async function graphed(count: number): Promise<RecallGarden> {
  const library = () => scanning((found) => found.slice(0, count));
  const whole = await buildIndex(UNITS.map(indexed), encoder, { library: () => scanning(), rows: 1 });
  const files = new Map([...[...whole.json].map(([path, it]) => [path, canonicalBytes(it)] as const), ...whole.binary]);
  const index = loadIndex((path) => files.get(path), library);
  return readyGarden(index, (await plant(UNITS)).facts, new Map());
}
const ask = (garden: RecallGarden, asked: Int8Array | null, intent = 'zzz', manifest_hint: string[] = []) => {
  const request = RecallRequest.parse({ intent, manifest_hint });
  const { explain, chunks } = recall(garden, request, { now: NOW, query: asked, explain: true });
  return { ...explain!, scores: chunks.map(({ name, score }) => [name, score]) };
};

describe('DESIGN §6.7 explanations of the semantic signal and of the search', () => {
  test('an explanation with vectors has a semantic score of each unit, and three weights', async () => {
    const { units, weights, search, measured_recall } = ask(await plant(UNITS, encoder), query);
    expect(weights).toEqual({ lexical: 0.35, semantic: 0.5, graph: 0.15 });
    // the phrase and the long text of a unit say the same
    expect(units.map((it) => it.semantic)).toEqual([1, Math.floor((64 / 127) ** 1.5 * 1e6) / 1e6, 0, 0]);
    expect(units.map((it) => it.score)).toEqual([0.5, Math.floor(units[1]!.semantic! * 5e5) / 1e6, 0, 0]);
    expect([search, measured_recall]).toEqual(['exhaustive', null]);
  });

  test('an explanation says whether a trigger or a phrase of a unit is nearest, and nothing of a unit that is not near', async () => {
    const [a, b, ...others] = UNITS;
    const units = [a!, { ...b!, description: 'say c', content: 'say c', phrases: ['say b'] }, ...others];
    const told = ask(await plant(units, encoder), query).units;
    expect(told.map(({ nearest }) => nearest)).toEqual(['trigger', 'phrase', null, null]);
    expect(ask(await plant(units, encoder), null).units.map(({ nearest }) => nearest)).toEqual(units.map(() => null));
  });

  test('an intent without a vector is compared by words and links, with the same weights', async () => {
    const { units, weights } = ask(await plant(UNITS, encoder), null, 'say a');
    expect(weights).toEqual({ lexical: 0.35, semantic: 0.5, graph: 0.15 });
    expect(units.map((it) => it.semantic)).toEqual([0, 0, 0, 0]);
    expect(units[0]!.score).toBeCloseTo(0.35 * units[0]!.lexical, 5);
  });

  test('an explanation of an approximate search has the measured recall, and scores of missed units', async () => {
    const { search, measured_recall, scores, units } = ask(await graphed(1), query);
    expect([search, measured_recall]).toEqual(['approximate', 1]);
    expect(scores).toEqual([['a', 0.5]]);
    expect(units[1]).toMatchObject({ name: 'b', outcome: 'over_max_chunks', rank: null });
    expect(units[1]!.score).toBeGreaterThan(0);
    expect(ask(await graphed(2), query).scores).toHaveLength(2);
  });

  test('a garden with an ANN graph is searched exhaustively if the intent has no vector', async () => {
    const { search, measured_recall, scores } = ask(await graphed(1), null, 'say');
    expect([search, measured_recall]).toEqual(['exhaustive', null]);
    expect(scores.map(([name]) => name)).toEqual(['a', 'b', 'c']);
  });
});
