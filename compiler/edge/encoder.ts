import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VadeError, messageOf } from '../model/errors.ts';
import type { ModelChoice, ModelPin } from '../model/org.ts';
import type { SearchIndex } from '../recall/searchindex.ts';
import { quantise, type Encoder } from '../recall/semantic.ts';

/** An encoder with the pin that a bundle carries of it. */
export interface LoadedEncoder {
  readonly encoder: Encoder;
  readonly pin: ModelPin;
}

const MODEL_FILES = ['config.json', 'onnx/model_quantized.onnx'];
const TOKENIZER_FILES = ['tokenizer.json', 'tokenizer_config.json'];

/** Texts are cut before the tokenizer sees them: no model here reads further. */
const MAX_CHARACTERS = 4000;

/**
 * Loads a sentence encoder from a local folder through @xenova/transformers; nothing is ever fetched.
 *
 * @param models folder that holds the model's folder
 * @throws model_unavailable
 */
export async function loadEncoder(models: string, choice: ModelChoice): Promise<LoadedEncoder> {
  const folder = join(models, choice.name);
  for (const file of [...MODEL_FILES, ...TOKENIZER_FILES]) {
    if (!existsSync(join(folder, file))) {
      throw new VadeError('model_unavailable', `model ${choice.name}: ${join(folder, file)} is missing`);
    }
  }
  const { env, pipeline } = await import('@xenova/transformers');
  env.allowRemoteModels = false;
  env.localModelPath = models;
  try {
    const extract = await pipeline('feature-extraction', choice.name, { quantized: true });
    const probe = await extract('probe', { pooling: choice.pooling, normalize: true });
    const dims = probe.dims.at(-1) ?? 0;
    const prefixes = { query: choice.query_prefix, passage: choice.passage_prefix };
    const encode = async (text: string) => {
      const { data } = await extract(text.slice(0, MAX_CHARACTERS), {
        pooling: choice.pooling,
        normalize: true,
      });
      return Float32Array.from(data as Float32Array);
    };
    return {
      encoder: { dims, encode: (texts, role) => encodeAll(texts, prefixes[role], encode) },
      pin: {
        ...choice,
        digest: digestOf(folder, MODEL_FILES),
        tokenizer_digest: digestOf(folder, TOKENIZER_FILES),
        dims,
        runtime: `@xenova/transformers ${env.version}`,
      },
    };
  } catch (error) {
    throw new VadeError('model_unavailable', `model ${choice.name} does not load: ${messageOf(error)}`);
  }
}

async function encodeAll(
  texts: readonly string[],
  prefix: string,
  encode: (text: string) => Promise<Float32Array>,
): Promise<(Float32Array | null)[]> {
  const vectors: (Float32Array | null)[] = [];
  for (const text of texts) {
    const vector = text.trim() === '' ? null : await encode(`${prefix}${text}`);
    vectors.push(vector?.every(Number.isFinite) === true ? vector : null);
  }
  return vectors;
}

function digestOf(folder: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(join(folder, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

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
