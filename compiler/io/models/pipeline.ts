import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, parse, relative } from 'node:path';
import type * as Library from '@xenova/transformers';
import { hasMeaning, tokenLimit } from '../../recall/encoder/static-model.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import type { ModelChoice } from '../../schema/source/org.ts';

/** A loaded model: the vector of a text, of length 1, or null if no token of the text is known. */
export interface Reader {
  readonly dims: number;
  readonly read: (text: string, prefix: string) => Promise<Float32Array | null> | Float32Array | null;
}

/** A reader, and the code that computes its vectors, as a bundle pins it. */
export interface PinnedReader extends Reader {
  readonly runtime: string;
}

/**
 * The runtime of a static model. Our own table look-up gives its vectors, to the last bit, and bundles pin them under
 * its name, whether it is installed or not.
 */
export const STATIC_RUNTIME = '@xenova/transformers 2.17.2, onnxruntime-node 1.14.0';

/** The library is optional: with what it needs it is 200 MB, and fetches more. @throws model_unavailable */
async function importLibrary(): Promise<typeof Library> {
  try {
    return await import('@xenova/transformers');
  } catch (error) {
    const [wanted = ''] = STATIC_RUNTIME.split(',');
    const name = wanted.replace(' ', '@');
    const message = `the package ${name} cannot be loaded (${messageOf(error)}): run npm install ${name}`;
    throw new VadeError('model_unavailable', message);
  }
}

/** Loads the library so that it reads only local files: no network, no cache. */
async function openLibrary(folder: string): Promise<{ library: typeof Library; path: string }> {
  const library = await importLibrary();
  // the settings are global, so they are the same for every model, and two can be loaded at once
  const { root } = parse(folder);
  const settings = { allowRemoteModels: false, useFSCache: false, useBrowserCache: false, localModelPath: root };
  Object.assign(library.env, settings);
  return { library, path: relative(root, folder) };
}

/** Limits the tokens to what both the tokenizer and the model's configuration allow. */
function limitTokens(tokenizer: Library.PreTrainedTokenizer, folder: string): void {
  const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as Record<string, unknown>;
  tokenizer.model_max_length = tokenLimit([tokenizer.model_max_length, config['max_position_embeddings']]);
}

/** Opens a model with the library's pipeline. */
export async function openPipeline(folder: string, pooling: ModelChoice['pooling']): Promise<PinnedReader> {
  const { library, path } = await openLibrary(folder);
  const extract = await library.pipeline('feature-extraction', path, { quantized: true });
  limitTokens(extract.tokenizer, folder);
  const { dims } = await extract('probe', { pooling, normalize: true });
  return {
    dims: dims.at(-1) ?? 0,
    runtime: runtimeVersion(),
    // one text at a time: in a batch, padding would change the vectors
    read: async (text, prefix) => {
      if (!saysSomething(extract, text)) return null;
      const { data } = await extract(`${prefix}${text}`, { pooling, normalize: true });
      const vector = Float32Array.from(data as Float32Array);
      return vector.every(Number.isFinite) ? vector : null;
    },
  };
}

/** Whether the model knows a token of the text, other than special and blank ones. */
function saysSomething({ tokenizer }: Library.FeatureExtractionPipeline, text: string): boolean {
  if (text.trim() === '') return false;
  const { model } = tokenizer;
  const ids = tokenizer.encode(text, null, { add_special_tokens: false });
  const tokens = model.convert_ids_to_tokens(ids);
  const special = new Set<unknown>([model.unk_token_id, tokenizer.unk_token_id, ...tokenizer.all_special_ids]);
  return ids.some((id, i) => !special.has(id) && hasMeaning(tokens[i] ?? '', text));
}

/** The versions of the installed code that computes vectors. */
function runtimeVersion(): string {
  const loader = createRequire(import.meta.url).resolve('@xenova/transformers');
  const versionOf = (from: string, name: string) =>
    (createRequire(from)(`${name}/package.json`) as { version: string }).version;
  // the runtime is a dependency of the loader, so it is resolved from there
  const transformers = versionOf(import.meta.url, '@xenova/transformers');
  const runtime = versionOf(loader, 'onnxruntime-node');
  return `@xenova/transformers ${transformers}, onnxruntime-node ${runtime}`;
}
