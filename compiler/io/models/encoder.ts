import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cutText, openStaticModel } from '../../recall/encoder/static-model.ts';
import type { SearchIndex } from '../../recall/index/search-index.ts';
import { quantise, type Encoder } from '../../recall/signals/semantic.ts';
import { VadeError, messageOf } from '../../schema/errors.ts';
import {
  MODEL_FILES,
  type ModelChoice,
  type ModelFile,
  type ModelPin,
  type NamedModel,
} from '../../schema/source/org.ts';
import { bothHalves } from './both-halves.ts';
import type { HubSource } from './hub-file.ts';
import { fetchModel } from './hub.ts';
import type { LoadedEncoder } from './loaded-encoder.ts';
import { openPipeline, STATIC_RUNTIME, type PinnedReader, type Reader } from './pipeline.ts';

export type { HubSource } from './hub-file.ts';
export type { LoadedEncoder } from './loaded-encoder.ts';

/** The built-in model. */
const BUILTIN: ModelChoice = {
  name: 'builtin',
  pooling: 'mean',
  query_prefix: '',
  passage_prefix: '',
};

/** Relative to the sources, and relative to the build. */
const BUILTIN_FOLDER =
  ['../../encoder/model', '../../../../compiler/encoder/model']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((folder) => existsSync(folder)) ?? 'compiler/encoder/model';

const WEIGHT_FILES: readonly ModelFile[] = ['config.json', 'onnx/model_quantized.onnx'];
const TOKENIZER_FILES: readonly ModelFile[] = ['tokenizer.json', 'tokenizer_config.json'];

/**
 * Loads a sentence encoder from a local folder: a static one by its table, any other through @xenova/transformers. Only
 * a model that is pinned to a revision of the hub is fetched, and only its missing files.
 *
 * @param models folder that contains the model's folder
 * @throws model_unavailable
 */
export async function loadEncoder(models: string, choice: NamedModel, source: HubSource = {}): Promise<LoadedEncoder> {
  if (choice === 'builtin') return (builtin ??= openEncoder(BUILTIN_FOLDER, BUILTIN, 'the build is incomplete'));
  const folder = await folderOf(resolve(models), choice, source);
  const named = await openEncoder(folder, choice, 'place it there, or pin revision and files');
  return choice.mode === 'with_builtin' ? bothHalves(await loadEncoder(models, 'builtin'), named) : named;
}

/** The built-in model is part of the program: a process opens it once. */
let builtin: Promise<LoadedEncoder> | undefined;

async function openEncoder(folder: string, choice: ModelChoice, help: string): Promise<LoadedEncoder> {
  const missing = MODEL_FILES.find((file) => !existsSync(join(folder, file)));
  if (missing !== undefined) {
    const message = `model ${choice.name}: ${join(folder, missing)} is missing; ${help}`;
    throw new VadeError('model_unavailable', message, { file: missing });
  }
  try {
    const read = readOnce(folder);
    const reader = await openModel(folder, choice, read);
    const encoder = encoderOf(reader, choice);
    const digests = { digest: digestOf(read, WEIGHT_FILES), tokenizer_digest: digestOf(read, TOKENIZER_FILES) };
    return { encoder, pin: { ...choice, ...digests, dims: encoder.dims, runtime: reader.runtime } };
  } catch (error) {
    throw new VadeError('model_unavailable', `model ${choice.name} does not load: ${messageOf(error)}`);
  }
}

async function folderOf(models: string, { name, revision, files }: ModelChoice, source: HubSource): Promise<string> {
  if (revision === undefined || files === undefined) return join(models, name);
  return fetchModel(models, { name, revision, files }, source);
}

/** A static model with mean pooling is a table look-up; any other model or pooling needs the runtime. */
async function openModel(folder: string, { pooling }: ModelChoice, read: ReadModelFile): Promise<PinnedReader> {
  const table = pooling === 'mean' ? openStaticModel(read) : null;
  return table ? { ...table, runtime: STATIC_RUNTIME } : openPipeline(folder, pooling);
}

type ReadModelFile = (file: ModelFile) => Buffer;

/** Reads each file once, so that the digests are those of the loaded bytes. */
function readOnce(folder: string): ReadModelFile {
  const files = new Map<ModelFile, Buffer>();
  return (file) => {
    const bytes = files.get(file) ?? readFileSync(join(folder, file));
    files.set(file, bytes);
    return bytes;
  };
}

function encoderOf({ dims, read }: Reader, choice: ModelChoice): Encoder {
  const prefixes = { query: choice.query_prefix, passage: choice.passage_prefix };
  return {
    dims,
    encode: async (texts, role) => {
      const vectors: (Float32Array | null)[] = [];
      for (const text of texts) {
        const vector = read(cutText(text), prefixes[role]);
        vectors.push(vector instanceof Promise ? await vector : vector);
      }
      return vectors;
    },
  };
}

function digestOf(read: ReadModelFile, files: readonly ModelFile[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = read(file);
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** Encodes an intent as the query vector of an index; null if index or intent has no vector. */
export type Queries = (intent: string, index: SearchIndex) => Promise<Int8Array | null>;

/**
 * Opens the encoder that a bundle pins, if it pins one.
 *
 * @param models folder that contains the model's folder
 * @throws model_unavailable if the loaded model differs from the pinned one
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

function choiceOf(pin: ModelPin): NamedModel {
  const { name, revision, files, pooling, query_prefix, passage_prefix, mode } = pin;
  if (name === BUILTIN.name) return 'builtin';
  return { name, revision, files, pooling, query_prefix, passage_prefix, mode };
}
