import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import onnxProto from 'onnx-proto';
import protobuf from 'protobufjs/minimal.js';
import { describe, expect, test } from 'vitest';
import { readTable } from '../../../compiler/recall/encoder/onnx-table.ts';
import { exported } from '../../encoder/exported.ts';

const { onnx } = onnxProto;
const { folder } = exported(['deploy', 'ticket'], 2, (_, place) => [place, 1]);
const model = readFileSync(join(folder, 'onnx/model_quantized.onnx'));

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

describe('the shape of a static model’s table', () => {
  test('a table has the same shape where each dimension is written for itself', () => {
    expect(readTable(unpacked())).toEqual(readTable(model));
  });
});
