import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import { unigram } from '../../compiler/encoder/gather/tokenizer.ts';

const { onnx } = onnxProto;
const { FLOAT, INT64, INT8 } = onnx.TensorProto.DataType;
const { INT } = onnx.AttributeProto.AttributeType;

/** Dimensions of the model below. */
export const DIMS = 32;

/**
 * Words that mean the same share a row: enough for a real encoder whose nearest neighbours can be told by
 * hand. The vectors follow from the words, so the files are the same on every machine.
 */
const MEANINGS = [
  ['stop', 'finish', 'quit', 'leave', 'exit', 'wrap', 'night', 'tonight'],
  ['deploy', 'release', 'ship', 'rollout'],
  ['refund', 'money', 'payment', 'invoice'],
  ['hire', 'recruit', 'onboard', 'headcount'],
  ['secret', 'password', 'token', 'credential'],
  ['the', 'a', 'to', 'my', 'i', 'am', 'for', 'what', 'do'],
];

/** Writes a static-table sentence encoder that @xenova/transformers loads from a folder; answers its name. */
export function writeModel(models: string, name = 'tiny'): string {
  const folder = join(models, name);
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  const words = MEANINGS.flatMap((group, g) => group.map((word) => ({ word, row: rowOf(`meaning ${g}`) })));
  const tokens = [{ word: '[PAD]', row: zeros() }, { word: '[UNK]', row: zeros() }, ...words];
  const json = (file: string, value: unknown) => {
    writeFileSync(join(folder, file), JSON.stringify(value));
  };
  json('config.json', {
    model_type: 'bert',
    hidden_size: DIMS,
    vocab_size: tokens.length,
    max_position_embeddings: 512,
  });
  json('tokenizer_config.json', {
    tokenizer_class: 'PreTrainedTokenizerFast',
    model_max_length: 512,
    pad_token: '[PAD]',
    unk_token: '[UNK]',
  });
  json('tokenizer.json', tokenizer(tokens.map(({ word }) => word)));
  writeFileSync(join(folder, 'onnx', 'model_quantized.onnx'), graph(tokens.map(({ row }) => row)));
  return name;
}

function rowOf(seed: string): Int8Array {
  const digest = createHash('sha256').update(seed).digest();
  return Int8Array.from(digest.subarray(0, DIMS), (x) => x - 128);
}

const zeros = () => new Int8Array(DIMS);

function tokenizer(words: readonly string[]) {
  return unigram(words.map((word) => [word, word === '[UNK]' ? -20 : -2]));
}

/** `Gather → Cast → Mul` over an int8 table: the whole of a static encoder. */
function graph(rows: readonly Int8Array[]): Uint8Array {
  const table = Buffer.concat(rows.map((row) => Buffer.from(row.buffer, row.byteOffset, row.byteLength)));
  const shape = (...dims: string[]) => ({ dim: dims.map((dimParam) => ({ dimParam })) });
  const model = onnx.ModelProto.create({
    irVersion: 8,
    opsetImport: [{ domain: '', version: 13 }],
    graph: {
      name: 'table',
      node: [
        { opType: 'Gather', input: ['table', 'input_ids'], output: ['rows'] },
        { opType: 'Cast', input: ['rows'], output: ['floats'], attribute: [{ name: 'to', type: INT, i: FLOAT }] },
        { opType: 'Mul', input: ['floats', 'scale'], output: ['last_hidden_state'] },
      ],
      initializer: [
        { name: 'table', dataType: INT8, dims: [rows.length, DIMS], rawData: table },
        { name: 'scale', dataType: FLOAT, dims: [1], floatData: [1 / 128] },
      ],
      input: ['input_ids', 'attention_mask'].map((name) => ({
        name,
        type: { tensorType: { elemType: INT64, shape: shape('batch', 'tokens') } },
      })),
      output: [
        {
          name: 'last_hidden_state',
          type: { tensorType: { elemType: FLOAT, shape: shape('batch', 'tokens', 'dims') } },
        },
      ],
    },
  });
  return onnx.ModelProto.encode(model).finish();
}
