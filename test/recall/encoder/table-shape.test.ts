import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import protobuf from 'protobufjs/minimal.js';
import { describe, expect, test } from 'vitest';
import { readTable } from '../../../compiler/recall/encoder/onnx-table.ts';
import { exported } from '../../encoder/exported.ts';

const { onnx } = onnxProto;
const { folder, tokens } = exported(['deploy', 'ticket'], 2, (_, place) => [place, 1]);
const model = readFileSync(join(folder, 'onnx/model_quantized.onnx'));

/** The model with a table of this shape, whose data is as long as the shape says. */
function shaped(rows: number, dims: number): Uint8Array {
  const changed = onnx.ModelProto.decode(model);
  const table = changed.graph?.initializer?.find((it) => it.name === 'table');
  Object.assign(table!, { dims: [rows, dims], rawData: new Uint8Array(rows * dims) });
  return onnx.ModelProto.encode(changed).finish();
}

/** The model with a table and scales of so many rows. */
function sized(rows: number): Uint8Array {
  const changed = onnx.ModelProto.decode(model);
  const [table, scale] = ['table', 'scale'].map((name) => changed.graph?.initializer?.find((it) => it.name === name));
  Object.assign(table!, { dims: [rows, 2], rawData: new Uint8Array(2 * rows) });
  Object.assign(scale!, { dims: [rows, 1], rawData: new Uint8Array(4 * rows) });
  return onnx.ModelProto.encode(changed).finish();
}

/** The model with each dimension of its tensors in a field of its own, as other writers have them. */
function unpacked(): Uint8Array {
  const changed = onnx.ModelProto.decode(model);
  const message = (tag: number, bytes: Uint8Array) => new protobuf.Writer().uint32(tag).bytes(bytes).finish();
  const graph = changed.graph!;
  const tensors = graph.initializer!.map(({ dims = [], ...rest }) => {
    const each = (dims ?? []).map((it) => new protobuf.Writer().uint32(0x08).int64(Number(it)).finish());
    return message(0x2a, Buffer.concat([...each, onnx.TensorProto.encode(rest).finish()]));
  });
  graph.initializer = [];
  const inside = Buffer.concat([onnx.GraphProto.encode(graph).finish(), ...tensors]);
  changed.graph = null;
  return Buffer.concat([onnx.ModelProto.encode(changed).finish(), message(0x3a, inside)]);
}

/** The model with another scale of its first token. */
function scaled(scale: number): Uint8Array {
  const changed = onnx.ModelProto.decode(model);
  const scales = changed.graph?.initializer?.find((it) => it.name === 'scale');
  const rawData = Uint8Array.from(scales!.rawData!);
  new DataView(rawData.buffer).setFloat32(0, scale, true);
  Object.assign(scales!, { rawData });
  return onnx.ModelProto.encode(changed).finish();
}

describe('the scales of a static model’s table', () => {
  test('are below two to the hundredth: no product of a row leaves the range of float32', () => {
    expect(readTable(scaled(2 ** 99))?.scales[0]).toBe(2 ** 99);
    for (const scale of [2 ** 100, -(2 ** 100), Number.NaN, Infinity]) expect(readTable(scaled(scale))).toBeNull();
  });
});

describe('what else a model file has', () => {
  type Model = ReturnType<typeof onnx.ModelProto.decode>;
  test.each<[string, (model: Model) => object]>([
    [
      'a model',
      (it) => Object.assign(it, { producerVersion: '1', domain: 'ai.example', modelVersion: 2, docString: 'x' }),
    ],
    ['a graph', (it) => Object.assign(it.graph!, { name: 'main', docString: 'x' })],
    ['a step', (it) => Object.assign(it.graph!.node![0]!, { name: 'look_up', docString: 'x' })],
    ['a tensor', (it) => Object.assign(it.graph!.initializer![0]!, { docString: 'x' })],
  ])('names and documentation of %s are ignored', (_, change) => {
    const changed = onnx.ModelProto.decode(model);
    change(changed);
    const bytes = onnx.ModelProto.encode(changed).finish();
    expect(bytes.length).toBeGreaterThan(model.length);
    expect(readTable(bytes)).toEqual(readTable(model));
  });

  test.each<[string, (model: Model) => object]>([
    ['a model with training', (it) => Object.assign(it, { trainingInfo: [{}] })],
    ['a graph with quantised values', (it) => Object.assign(it.graph!, { quantizationAnnotation: [{}] })],
    ['a step of a domain', (it) => Object.assign(it.graph!.node![0]!, { domain: 'ai.example' })],
    ['an attribute with documentation', (it) => Object.assign(it.graph!.node![1]!.attribute![0]!, { docString: 'x' })],
    ['a tensor in segments', (it) => Object.assign(it.graph!.initializer![0]!, { segment: { begin: 0, end: 1 } })],
  ])('%s has no table, as nobody reads that here', (_, change) => {
    const changed = onnx.ModelProto.decode(model);
    change(changed);
    const bytes = onnx.ModelProto.encode(changed).finish();
    expect(bytes.length).toBeGreaterThan(model.length);
    expect(readTable(bytes)).toBeNull();
  });

  test('metadata is ignored', () => {
    const changed = onnx.ModelProto.decode(model);
    changed.metadataProps = [{ key: 'licence', value: 'MIT' }];
    expect(readTable(onnx.ModelProto.encode(changed).finish())).toEqual(readTable(model));
  });

  test('shapes of values in between are ignored', () => {
    const changed = onnx.ModelProto.decode(model);
    changed.graph!.valueInfo = [{ name: 'looked_up' }];
    expect(readTable(onnx.ModelProto.encode(changed).finish())).toEqual(readTable(model));
  });
});

describe('the shape of a static model’s table', () => {
  test('a table can have any number of dimensions from one on', () => {
    expect(readTable(shaped(tokens.length, 1))?.dims).toBe(1);
    expect(readTable(shaped(tokens.length, 3))?.dims).toBe(3);
  });

  test('a table has at least one row', () => {
    expect([readTable(sized(1))?.rows.length, readTable(sized(0))]).toEqual([2, null]);
  });

  test('a table has the same shape where each dimension is written for itself', () => {
    expect(readTable(unpacked())).toEqual(readTable(model));
  });

  test('a table without dimensions is refused', () => {
    expect(readTable(shaped(tokens.length, 0))).toBeNull();
  });
});
