import { describe, expect, test } from 'vitest';
import { loadEncoder } from '../../../compiler/io/models/encoder.ts';
import { buildMeasuredIndex } from '../../../compiler/recall/everyday/measured-index.ts';
import EVERYDAY from '../../../compiler/recall/everyday/prompts.json' with { type: 'json' };
import { INDEX_FILES } from '../../../compiler/recall/index/search-index.ts';
import { recall } from '../../../compiler/recall/recall.ts';
import { quantise, type Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { indexed, NOW, plant, type Planted } from '../garden.ts';

const ZOO: readonly Planted[] = [
  { name: 'bears', description: 'Feed the bears', intents: ['the bears are hungry'] },
  { name: 'gates', description: 'Close the gates in the evening', intents: ['when do we close'] },
];

/** The threshold of a garden and the number of prompts whose vectors it has. */
async function measured(units: readonly Planted[], encoder: Encoder | null, prompts: readonly string[]) {
  const { json, binary } = await buildMeasuredIndex(units.map(indexed), encoder, null, null, prompts);
  const { low_confidence } = json.get(INDEX_FILES.terms) as { low_confidence: number };
  const rows = json.get(INDEX_FILES.rows) as { everyday: number; dims: number } | undefined;
  return { low_confidence, everyday: rows?.everyday, bytes: binary.get(INDEX_FILES.vectors)?.length };
}

/** Vectors of length 1 on a circle: a text is at so many degrees as the number that it contains. */
const circle: Encoder = {
  dims: 2,
  encode: (texts) =>
    Promise.resolve(
      texts.map((text) => {
        const degrees = /\d+/.exec(text)?.[0];
        const angle = (Number(degrees) * Math.PI) / 180;
        return degrees === undefined ? null : Float32Array.of(Math.cos(angle), Math.sin(angle));
      }),
    ),
};

describe('a garden that is asked everyday prompts', () => {
  test('lets 15 % of them seem to fit it, by words alone and with vectors', async () => {
    const { encoder } = await loadEncoder('models', 'builtin');
    for (const model of [null, encoder]) {
      const garden = await plant(ZOO, model, null, EVERYDAY);
      const vectors = await encoder.encode(EVERYDAY, 'query');
      const confident = EVERYDAY.filter((intent, at) => {
        const query = garden.index.vectors && quantise(vectors[at] ?? null, garden.index.vectors.mean);
        const { warnings } = recall(garden, RecallRequest.parse({ intent }), { now: NOW, query, explain: false });
        return !warnings.includes('low_confidence');
      });
      expect(confident.length).toBeLessThanOrEqual(0.15 * EVERYDAY.length);
      expect(confident).not.toEqual([]);
    }
  });

  test('does not count prompts that are near to what its units say of themselves', async () => {
    const unit = { name: 'bears', description: 'at 0', intents: ['at 10'], content: 'at 200' };
    const far = await measured([unit], circle, ['at 90']);
    const near = await measured([unit], circle, ['at 90', 'at 11', 'at 50']);
    expect([far.everyday, near.everyday]).toEqual([1, 1]);
  });

  test('has the vectors of at most 128 of them after those of its units, and none of what its model does not know', async () => {
    const unit = { name: 'bears', description: 'at 0', content: 'at 90' };
    const everyday = ['unknown', ...Array.from({ length: 200 }, (_, at) => `at ${70 + at / 10}`)];
    expect(await measured([unit], circle, everyday)).toMatchObject({ everyday: 128, bytes: 2 * (2 + 128) });
    expect(await measured([unit], circle, [])).toEqual({ low_confidence: 0, everyday: 0, bytes: 4 });
    // it scores none of them
    expect(await measured([unit], circle, ['at 230'])).toEqual({ low_confidence: 0, everyday: 0, bytes: 4 });
    expect(await measured([unit], null, everyday)).toMatchObject({ everyday: undefined });
  });
});

describe('the everyday prompts that ship', () => {
  test('are two hundred or more, sorted, each once', () => {
    expect(EVERYDAY.length).toBeGreaterThanOrEqual(200);
    expect([...new Set(EVERYDAY)].sort()).toEqual(EVERYDAY);
  });
});
