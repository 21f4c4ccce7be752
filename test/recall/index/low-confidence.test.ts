import { expect, test } from 'vitest';
import { INDEX_FILES } from '../../../compiler/recall/index/index-file.ts';
import { buildIndex } from '../../../compiler/recall/index/search-index.ts';
import type { Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { indexed } from '../garden.ts';

const units = [{ name: 'hiring' }, { name: 'zoo' }].map(indexed);
const MODEL: Encoder = { dims: 1, encode: (texts) => Promise.resolve(texts.map(() => Float32Array.of(1))) };

test('an index asks for the confidence of its model, or for that of its language without one', async () => {
  const asked = async (model: Encoder | null, functionWords: readonly string[] | null) => {
    const { json } = await buildIndex(units, model, null, functionWords);
    return (json.get(INDEX_FILES.terms) as { low_confidence: number }).low_confidence;
  };
  expect(await Promise.all([asked(null, null), asked(null, ['der'])])).toEqual([50_000, 12_500]);
  expect(await Promise.all([asked(MODEL, null), asked(MODEL, ['der'])])).toEqual([50_000, 50_000]);
  expect(await asked({ ...MODEL, low_confidence: 0.25 }, ['der'])).toBe(250_000);
});
