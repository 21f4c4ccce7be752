import { openStaticModel } from '../../../recall/encoder/static-model.ts';
import type { SearchIndex } from '../../../recall/index/search-index.ts';
import { quantise } from '../../../recall/signals/semantic.ts';
import { MODEL_FILES, type ModelFile } from '../../../schema/source/org.ts';
import { unpack } from './blocks.ts';

/** The vector of an intent, as an index needs it. */
export type Meaning = (intent: string, index: SearchIndex) => Int8Array | null;

/** An encoder reads this much of a text, exactly as on the server; a character is never cut in half. */
const MAX_CHARACTERS = 4000;
const HALF = /[\uD800-\uDBFF]$/;

let opened: Promise<Meaning | null> | null = null;

/** The built-in encoder, unpacked once; null if the file does not contain it. */
export function openMeaning(): Promise<Meaning | null> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Meaning | null> {
  const files = new Map<ModelFile, Uint8Array>();
  for (const file of MODEL_FILES) {
    const bytes = await unpack(`model:${file}`);
    if (bytes === null) return null;
    files.set(file, bytes);
  }
  const model = openStaticModel((file) => files.get(file) ?? new Uint8Array());
  if (model === null) return null;
  return (intent, { vectors }) =>
    vectors && quantise(model.read(intent.slice(0, MAX_CHARACTERS).replace(HALF, ''), ''), vectors.mean);
}
