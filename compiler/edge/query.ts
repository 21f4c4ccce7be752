import { VadeError } from '../model/errors.ts';
import type { ModelPin } from '../model/org.ts';
import type { SearchIndex } from '../recall/searchindex.ts';
import { quantise } from '../recall/semantic.ts';
import { loadEncoder } from './encoder.ts';

/** Turns an intent into the vector that one index is asked with; null where there is nothing to ask. */
export type Queries = (intent: string, index: SearchIndex) => Promise<Int8Array | null>;

/**
 * Opens the encoder that a bundle pins, or none where it pins none.
 *
 * @param models folder that holds the model's folder
 * @throws model_unavailable where the model at hand is not the pinned one
 */
export async function openQueries(pin: ModelPin | null, models: string): Promise<Queries> {
  if (pin === null) return () => Promise.resolve(null);
  const { name, pooling, query_prefix, passage_prefix } = pin;
  const { encoder, pin: found } = await loadEncoder(models, {
    name,
    pooling,
    query_prefix,
    passage_prefix,
  });
  const same = (['digest', 'tokenizer_digest', 'dims', 'runtime'] as const).filter((key) => found[key] !== pin[key]);
  if (same.length > 0) {
    throw new VadeError(
      'model_unavailable',
      `model ${name} differs from the one the bundle pins in: ${same.join(', ')}`,
    );
  }
  return async (intent, index) => {
    if (index.vectors === null) return null;
    const [vector] = await encoder.encode([intent], 'query');
    return quantise(vector ?? null, index.vectors.mean);
  };
}
