import { parse, relative } from 'node:path';
import { env, AutoTokenizer, type PreTrainedTokenizer } from '@xenova/transformers';

/** The tokenizer of a model's folder as the library has it: what a reader of our own is held against. */
export async function libraryTokenizer(folder: string): Promise<PreTrainedTokenizer> {
  const { root } = parse(folder);
  Object.assign(env, { allowRemoteModels: false, useFSCache: false, useBrowserCache: false, localModelPath: root });
  return AutoTokenizer.from_pretrained(relative(root, folder));
}
