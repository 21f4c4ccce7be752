import type { FeatureExtractionPipeline } from '@xenova/transformers';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, parse, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VadeError, messageOf } from '../model/errors.ts';
import { MODEL_FILES, type ModelChoice, type ModelFile, type ModelPin, type NamedModel } from '../model/org.ts';
import type { SearchIndex } from '../recall/searchindex.ts';
import { quantise, type Encoder } from '../recall/semantic.ts';
import { fetchModel, type HubSource } from './hub.ts';

export type { HubSource } from './hub.ts';

/** An encoder with the pin that a bundle carries of it. */
export interface LoadedEncoder {
  readonly encoder: Encoder;
  readonly pin: ModelPin;
}

/** The model that comes with the compiler, and how its texts are prepared. */
const BUILTIN: ModelChoice = { name: 'builtin', pooling: 'mean', query_prefix: '', passage_prefix: '' };
const BUILTIN_FOLDER = fileURLToPath(new URL('../encoder/model', import.meta.url));

const WEIGHT_FILES: readonly ModelFile[] = ['config.json', 'onnx/model_quantized.onnx'];
const TOKENIZER_FILES: readonly ModelFile[] = ['tokenizer.json', 'tokenizer_config.json'];

/** Texts are cut before the tokenizer sees them: no model here reads further. */
const MAX_CHARACTERS = 4000;

/** Tokens that only say where a word begins. */
const BLANK_TOKEN = /^[\s▁ĠĊ]*$/u;

/**
 * Loads a sentence encoder through @xenova/transformers, always from a local folder. Only a model that is
 * pinned to a revision of the hub is ever fetched, file by file, and only what is missing of it.
 *
 * @param models folder that holds the model's folder
 * @throws model_unavailable
 */
export async function loadEncoder(models: string, choice: NamedModel, source: HubSource = {}): Promise<LoadedEncoder> {
  const named = choice === 'builtin' ? BUILTIN : choice;
  const folder = await folderOf(resolve(models), choice, source);
  const missing = MODEL_FILES.find((file) => !existsSync(join(folder, file)));
  if (missing !== undefined) {
    const help = choice === 'builtin' ? 'the build is incomplete' : 'place it there, or pin revision and files';
    const message = `model ${named.name}: ${join(folder, missing)} is missing; ${help}`;
    throw new VadeError('model_unavailable', message, { file: missing });
  }
  try {
    const { extract, runtime } = await openPipeline(folder);
    const { dims } = await extract('probe', { pooling: named.pooling, normalize: true });
    const encoder = encoderOf(extract, named, dims.at(-1) ?? 0);
    const digests = { digest: digestOf(folder, WEIGHT_FILES), tokenizer_digest: digestOf(folder, TOKENIZER_FILES) };
    return { encoder, pin: { ...named, ...digests, dims: encoder.dims, runtime } };
  } catch (error) {
    throw new VadeError('model_unavailable', `model ${named.name} does not load: ${messageOf(error)}`);
  }
}

async function folderOf(models: string, choice: NamedModel, source: HubSource): Promise<string> {
  if (choice === 'builtin') return BUILTIN_FOLDER;
  const { name, revision, files } = choice;
  if (revision === undefined || files === undefined) return join(models, name);
  return fetchModel(models, { name, revision, files }, source);
}

/** The one way a model is loaded: these files and no others, no network, no cache but the folder itself. */
async function openPipeline(folder: string): Promise<{ extract: FeatureExtractionPipeline; runtime: string }> {
  const { env, pipeline } = await import('@xenova/transformers');
  // settings of the whole process: the same for every model, so that two may be loaded at once
  const { root } = parse(folder);
  Object.assign(env, { allowRemoteModels: false, useFSCache: false, useBrowserCache: false, localModelPath: root });
  const extract = await pipeline('feature-extraction', relative(root, folder), { quantized: true });
  const { tokenizer, model } = extract;
  const config = model.config as { readonly max_position_embeddings?: unknown };
  const limits = [tokenizer.model_max_length as unknown, config.max_position_embeddings];
  tokenizer.model_max_length = Math.min(...(limits.filter((it) => typeof it === 'number' && it > 0) as number[]));
  return { extract, runtime: `@xenova/transformers ${env.version}, onnxruntime-node ${runtimeVersion()}` };
}

/** The runtime is a dependency of the loader's, so it is looked for from there. */
function runtimeVersion(): string {
  const loader = createRequire(import.meta.url).resolve('@xenova/transformers');
  return (createRequire(loader)('onnxruntime-node/package.json') as { version: string }).version;
}

function encoderOf(extract: FeatureExtractionPipeline, choice: ModelChoice, dims: number): Encoder {
  const prefixes = { query: choice.query_prefix, passage: choice.passage_prefix };
  const encode = async (text: string, prefix: string) => {
    if (!saysSomething(extract, cut(text))) return null;
    const { data } = await extract(cut(`${prefix}${text}`), { pooling: choice.pooling, normalize: true });
    const vector = Float32Array.from(data as Float32Array);
    return vector.every(Number.isFinite) ? vector : null;
  };
  return {
    dims,
    encode: async (texts, role) => {
      const vectors: (Float32Array | null)[] = [];
      // one by one: in a batch, the padding of one text would show in the vector of another
      for (const text of texts) vectors.push(await encode(text, prefixes[role]));
      return vectors;
    },
  };
}

/** Cuts a text to what is read of it, never through the middle of a character. */
function cut(text: string): string {
  return text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '');
}

/** Whether the model knows a word of the text; what it marks as special or blank is none. */
function saysSomething({ tokenizer }: FeatureExtractionPipeline, text: string): boolean {
  if (text.trim() === '') return false;
  const { model } = tokenizer;
  const ids = tokenizer.encode(text, null, { add_special_tokens: false });
  const tokens = model.convert_ids_to_tokens(ids);
  const special = new Set<unknown>([model.unk_token_id, tokenizer.unk_token_id, ...tokenizer.all_special_ids]);
  return ids.some((id, i) => !special.has(id) && !BLANK_TOKEN.test(tokens[i] ?? ''));
}

function digestOf(folder: string, files: readonly ModelFile[]): string {
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
export async function openQueries(
  pin: ModelPin | 'none' | null,
  models: string,
  source: HubSource = {},
): Promise<Queries> {
  if (pin === null || pin === 'none') return () => Promise.resolve(null);
  const { encoder, pin: found } = await loadEncoder(models, choiceOf(pin), source);
  const other = (['digest', 'tokenizer_digest', 'dims', 'runtime'] as const).filter((key) => found[key] !== pin[key]);
  if (other.length > 0) {
    const message = `model ${pin.name} differs from the one the bundle pins in: ${other.join(', ')}`;
    throw new VadeError('model_unavailable', message, { differs: other });
  }
  return async (intent, index) => {
    if (index.vectors === null) return null;
    const [vector] = await encoder.encode([intent], 'query');
    return quantise(vector ?? null, index.vectors.mean);
  };
}

function choiceOf({ name, revision, files, pooling, query_prefix, passage_prefix }: ModelPin): NamedModel {
  return name === BUILTIN.name ? 'builtin' : { name, revision, files, pooling, query_prefix, passage_prefix };
}
