import { readFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import { ENDINGS } from './gather/vocabulary.ts';

const { onnx } = onnxProto;
const { FLOAT, INT64, INT8 } = onnx.TensorProto.DataType;
const { INT } = onnx.AttributeProto.AttributeType;

/** The most tokens that are read of a text. */
const MAX_TOKENS = 512;

/**
 * Writes the folder that @xenova/transformers loads. Its graph looks up an int8 row and a float32 scale for each
 * token.
 *
 * @param work folder with `table.f32` (tokens × dims, little-endian) and `tokenizer.json`
 */
export function exportModel(work: string, out: string, dims: number): void {
  const bytes = readFileSync(join(work, 'table.f32'));
  const table = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const tokenizer = readFileSync(join(work, 'tokenizer.json'), 'utf8');
  const { vocab } = (JSON.parse(tokenizer) as { model: { vocab: [token: string, score: number][] } }).model;
  const tokens = vocab.length;
  if (table.length !== tokens * dims) throw new TypeError(`table.f32 is not ${tokens} × ${dims}`);
  const rows = new Int8Array(table.length);
  const scales = new Float32Array(tokens);
  for (let t = 0; t < tokens; t++) {
    if (isScrap(vocab[t])) continue;
    const row = table.subarray(t * dims, (t + 1) * dims);
    const largest = row.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    scales[t] = largest / 127;
    row.forEach((x, d) => (rows[t * dims + d] = largest === 0 ? 0 : Math.round((x / largest) * 127)));
  }
  mkdirSync(join(out, 'onnx'), { recursive: true });
  writeFileSync(join(out, 'onnx', 'model_quantized.onnx'), graphOf(rows, scales, dims));
  writeFileSync(join(out, 'tokenizer.json'), tokenizer);
  writeJson(join(out, 'config.json'), {
    model_type: 'bert',
    hidden_size: dims,
    vocab_size: tokens,
    max_position_embeddings: MAX_TOKENS,
  });
  writeJson(join(out, 'tokenizer_config.json'), {
    tokenizer_class: 'PreTrainedTokenizerFast',
    model_max_length: MAX_TOKENS,
    pad_token: '[PAD]',
    unk_token: '[UNK]',
  });
}

/** A single character is a piece of an unknown word, unless it is an ending (`s`, `d`). */
function isScrap([token]: readonly [string, number] = ['', 0]): boolean {
  return token.length === 1 && !ENDINGS.includes(token);
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** The graph `Gather → Cast → Mul`: the row of each token times its scale. */
function graphOf(rows: Int8Array, scales: Float32Array, dims: number): Uint8Array {
  const tokens = scales.length;
  const bytesOf = ({ buffer, byteOffset, byteLength }: Int8Array | Float32Array) =>
    new Uint8Array(buffer, byteOffset, byteLength);
  const shape = (...names: string[]) => ({ dim: names.map((dimParam) => ({ dimParam })) });
  const value = (name: string, elemType: number, ...names: string[]) => ({
    name,
    type: { tensorType: { elemType, shape: shape(...names) } },
  });
  const model = onnx.ModelProto.create({
    irVersion: 8,
    producerName: 'vademecum',
    opsetImport: [{ domain: '', version: 13 }],
    graph: {
      name: 'table',
      node: [
        { opType: 'Gather', input: ['table', 'input_ids'], output: ['rows'] },
        { opType: 'Cast', input: ['rows'], output: ['floats'], attribute: [{ name: 'to', type: INT, i: FLOAT }] },
        { opType: 'Gather', input: ['scale', 'input_ids'], output: ['scales'] },
        { opType: 'Mul', input: ['floats', 'scales'], output: ['last_hidden_state'] },
      ],
      initializer: [
        { name: 'table', dataType: INT8, dims: [tokens, dims], rawData: bytesOf(rows) },
        { name: 'scale', dataType: FLOAT, dims: [tokens, 1], rawData: bytesOf(scales) },
      ],
      input: ['input_ids', 'attention_mask'].map((name) => value(name, INT64, 'batch', 'tokens')),
      output: [value('last_hidden_state', FLOAT, 'batch', 'tokens', 'dims')],
    },
  });
  return onnx.ModelProto.encode(model).finish();
}
