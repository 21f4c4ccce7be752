import { beforeAll, describe, expect, test } from 'vitest';
import type { RecallGarden } from '../../compiler/recall/recall-garden.ts';
import { recall } from '../../compiler/recall/recall.ts';
import { quantise } from '../../compiler/recall/signals/semantic.ts';
import { RecallRequest } from '../../compiler/schema/api/recall.ts';
import { wordEncoder } from '../support/words.ts';
import { ask, NOW, PAST, plant, type Planted } from './garden.ts';

const WORDS = 'deploy release review leave budget incident customer refund secret plan hire audit'.split(' ');
const word = (n: number) => WORDS[n % WORDS.length]!;

/** Six hundred units about a dozen things, chained to each other; one in fifty out of force. */
const MANY: readonly Planted[] = Array.from({ length: 600 }, (_, u) => ({
  name: `unit-${String(u).padStart(3, '0')}`,
  description: `${word(u)} ${word(u >> 2)} ${word(u >> 5)}`,
  intents: [`${word(u * 7)} the ${word(u + 3)}`, `case ${u} of ${word(u >> 3)}`],
  content: `How to ${word(u)}, and what else belongs to ${word(u * 5)}.`,
  validUntil: u % 50 === 0 ? PAST : null,
  links: [`unit-${String((u * 13) % 600).padStart(3, '0')}`],
}));
const INTENTS = [
  'deploy the release',
  'load unit-311 of the audit',
  'refund a customer after the audit',
  'case 417 of hire',
  'secret plan',
  'review',
];

describe('a garden with more units than are ranked', () => {
  const encoder = wordEncoder(new Map(), 32);
  let garden: RecallGarden;
  let dense: RecallGarden;
  beforeAll(async () => {
    garden = await plant(MANY);
    dense = await plant(MANY, encoder);
  });

  const askDense = async (intent: string, more: Partial<RecallRequest> = {}) => {
    const [vector] = await encoder.encode([intent], 'query');
    const query = quantise(vector ?? null, dense.index.vectors?.mean ?? []);
    return recall(dense, RecallRequest.parse({ intent, ...more }), { now: NOW, query, explain: true });
  };

  test.each(INTENTS)('the ranking of a large garden equals a sort of all scores: “%s”', async (intent) => {
    for (const { explain } of [ask(garden, intent), await askDense(intent)]) {
      const units = explain!.units.map((it, number) => ({ ...it, number }));
      const usable = units.filter((it) => it.score > 0 && it.outcome !== 'expired');
      const sorted = usable
        .sort((a, b) => Number(b.exact_name) - Number(a.exact_name) || b.score - a.score || a.number - b.number)
        .slice(0, 200);
      const ranked = units.filter((it) => it.rank !== null).sort((a, b) => a.rank! - b.rank!);
      expect(ranked.map((it) => it.name)).toEqual(sorted.map((it) => it.name));
    }
  });

  test.each(INTENTS)('every chunk of a large garden has its own score, hints too: “%s”', async (intent) => {
    const hints = { manifest_hint: ['unit-001', 'unit-599'], max_chunks: 50, token_budget: 100_000 };
    for (const { chunks, explain } of [ask(garden, intent, hints), await askDense(intent, hints)]) {
      expect(chunks.length).toBeGreaterThan(2);
      for (const { name, score } of chunks) expect(score).toBe(explain!.units.find((it) => it.name === name)?.score);
    }
  });

  test('left_out has every expired unit and the ranked units over max_chunks, sorted by name', async () => {
    const { left_out } = await askDense('deploy the release');
    expect(left_out.filter((it) => it.outcome === 'expired').map((it) => it.name)).toHaveLength(12);
    expect(left_out.filter((it) => it.outcome === 'over_max_chunks')).toHaveLength(47);
    expect(left_out).toEqual([...left_out].sort((a, b) => (a.name < b.name ? -1 : 1)));
  });

  test('explain lists units below the ranking as over_max_chunks, without a rank', async () => {
    const { explain } = await askDense('deploy the release');
    const deep = explain!.units.filter((it) => it.outcome === 'over_max_chunks' && it.rank === null);
    expect(deep.length).toBeGreaterThan(100);
    expect(explain).toMatchObject({ search: 'exhaustive', measured_recall: null });
  });
});
