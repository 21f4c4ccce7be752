import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import { openTokenizer, type Reader } from './pipeline.ts';

const { onnx } = onnxProto;
const { INT8, FLOAT } = onnx.TensorProto.DataType;

/** A static encoder's whole content: one int8 row and one scale a token. */
interface Table {
  readonly dims: number;
  readonly rows: Int8Array;
  readonly scales: Float32Array;
}

/** `Gather → Cast → Mul(Gather)`: any other graph has to be run. */
const STATIC_GRAPH = 'Gather(table,input_ids) Cast Gather(scale,input_ids) Mul';

/**
 * Reads the table out of a model's graph; null where the graph is more than a look-up.
 *
 * @param model bytes of an ONNX file
 */
function readTable(model: Uint8Array): Table | null {
  const { graph } = onnx.ModelProto.decode(model);
  const steps = (graph?.node ?? []).map(({ opType, input }) =>
    opType === 'Gather' ? `${opType}(${input?.join(',') ?? ''})` : (opType ?? ''),
  );
  if (steps.join(' ') !== STATIC_GRAPH) return null;
  const [table, scale] = ['table', 'scale'].map((name) => graph?.initializer?.find((it) => it.name === name));
  const [tokens, dims] = (table?.dims ?? []).map(Number);
  if (table?.dataType !== INT8 || scale?.dataType !== FLOAT || !table.rawData || !scale.rawData) return null;
  const rows = new Int8Array(Uint8Array.from(table.rawData).buffer);
  const scales = new Float32Array(Uint8Array.from(scale.rawData).buffer);
  if (!tokens || !dims || rows.length !== tokens * dims || scales.length !== tokens) return null;
  return { dims, rows, scales };
}

/**
 * The vector of a text as the pipeline would answer it, to the last bit: every rounding to float32 stands
 * where the runtime has it. Null where no token is known.
 *
 * @param limit most tokens that are read
 */
function lookUp({ dims, rows, scales }: Table, ids: readonly number[], limit: number): Float32Array | null {
  const count = Math.min(ids.length, limit);
  const sums = new Float64Array(dims);
  for (let i = 0; i < count; i++) {
    const id = ids[i] ?? 0;
    const scale = scales[id] ?? 0;
    const at = id * dims;
    for (let d = 0; d < dims; d++) sums[d] = (sums[d] ?? 0) + Math.fround((rows[at + d] ?? 0) * scale);
  }
  const vector = new Float32Array(dims);
  let length = 0;
  for (let d = 0; d < dims; d++) {
    const x = Math.fround((sums[d] ?? 0) / count);
    vector[d] = x;
    length = Math.fround(length + x * x);
  }
  length = Math.fround(length ** (1 / 2));
  if (!(length > 0)) return null;
  for (let d = 0; d < dims; d++) vector[d] = (vector[d] ?? 0) / length;
  return vector;
}

/** Words whose tokens are remembered; then all are forgotten, so that no flood of words fills the memory. */
const MAX_REMEMBERED = 50_000;

/** ASCII text needs no normalising but lower case; its words and punctuation marks are plain to see. */
const ASCII = /^[\t\n\r\x20-\x7e]*$/;
const ASCII_WORDS = /[a-z0-9]+|[^\sa-z0-9]/g;

/** The parts of a tokenizer whose words are independent of each other, in the library's words. */
interface WordTokenizer {
  readonly normalizer: (text: string) => string;
  readonly pre_tokenizer: (text: string) => string[];
  readonly post_processor: unknown;
  readonly model: {
    readonly unk_token_id: number;
    readonly encode: (words: string[]) => string[];
    readonly convert_tokens_to_ids: (tokens: string[]) => number[];
  };
}

/** The token ids of a text as the tokenizer itself gives them: a word at a time, remembered. */
function tokenIds({ normalizer, pre_tokenizer: split, model }: WordTokenizer): (text: string) => number[] {
  const known = new Map<string, readonly number[]>();
  const idsOf = (word: string) => {
    const remembered = known.get(word);
    if (remembered) return remembered;
    const ids = model.convert_tokens_to_ids(model.encode([word]));
    if (known.size >= MAX_REMEMBERED) known.clear();
    known.set(word, ids);
    return ids;
  };
  return (text) => {
    const words = ASCII.test(text) ? (text.toLowerCase().match(ASCII_WORDS) ?? []) : split(normalizer(text));
    const ids: number[] = [];
    for (const word of words) {
      // unknown tokens that follow each other are one, as the tokenizer fuses them
      for (const id of idsOf(word)) if (id !== model.unk_token_id || ids.at(-1) !== id) ids.push(id);
    }
    return ids;
  };
}

/**
 * Opens a static model without its runtime: some forty times as fast as the pipeline, and the same to the
 * last bit. Null where the model is of another kind.
 */
export async function openTable(folder: string): Promise<Reader | null> {
  const tokenizer = await openTokenizer(folder);
  const words = tokenizer as unknown as WordTokenizer;
  const kinds = [words.normalizer, words.pre_tokenizer, words.model].map((part) => part.constructor.name);
  if (kinds.join() !== 'BertNormalizer,BertPreTokenizer,Unigram' || words.post_processor) return null;
  // only now: the graph of another kind of model may be a hundred times as large, and is read for nothing
  const table = readTable(readFileSync(join(folder, 'onnx/model_quantized.onnx')));
  if (table === null) return null;
  const idsOf = tokenIds(words);
  const limit = tokenizer.model_max_length as number;
  const isKnown = (id: number) => id !== words.model.unk_token_id;
  return {
    dims: table.dims,
    read: (text, prefix) => {
      if (prefix !== '' && !idsOf(text).some(isKnown)) return null;
      return lookUp(table, idsOf(`${prefix}${text}`), limit);
    },
  };
}
