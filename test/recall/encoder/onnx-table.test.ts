import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import onnxProto from 'onnx-proto';
import { describe, expect, test } from 'vitest';
import { readTable } from '../../../compiler/recall/encoder/onnx-table.ts';
import { exported } from '../../encoder/exported.ts';

const { onnx } = onnxProto;
const { INT8, FLOAT, FLOAT16 } = onnx.TensorProto.DataType;
const { INT } = onnx.AttributeProto.AttributeType;
const { EXTERNAL } = onnx.TensorProto.DataLocation;
type Graph = InstanceType<typeof onnx.GraphProto>;

const DIMS = 8;
const { folder, tokens } = exported(['deploy', 'ticket'], DIMS, (_, place) =>
  Array.from({ length: DIMS }, (_, d) => Math.sin(1 + place * DIMS + d)),
);
const bytes = readFileSync(join(folder, 'onnx/model_quantized.onnx'));

/** The same model with something else about it. */
function changed(change: (graph: Graph) => void): Uint8Array {
  const model = onnx.ModelProto.decode(bytes);
  change(model.graph as Graph);
  return onnx.ModelProto.encode(model).finish();
}

const tensor = (graph: Graph, name: string) => graph.initializer.find((it) => it.name === name)!;
const node = (graph: Graph, at: number) => graph.node[at]!;

describe('the table of a static model', () => {
  test('the table of the built-in model is what the ONNX library reads', () => {
    const model = readFileSync(
      fileURLToPath(new URL('../../../compiler/encoder/model/onnx/model_quantized.onnx', import.meta.url)),
    );
    const { graph } = onnx.ModelProto.decode(model);
    const wanted = (name: string) => Buffer.from(graph!.initializer!.find((it) => it.name === name)!.rawData!);
    const { dims, rows, scales } = readTable(model)!;
    expect(dims).toBe(256);
    expect(Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength).equals(wanted('table'))).toBe(true);
    expect(Buffer.from(scales.buffer).equals(wanted('scale'))).toBe(true);
  });

  test('the table is a view of the file, not a copy', () => {
    const { rows } = readTable(bytes)!;
    expect(rows.buffer).toBe(bytes.buffer);
    expect(rows).toHaveLength(tokens.length * DIMS);
  });

  test('the table is the same from a Buffer, from other bytes and from a model that was encoded again', () => {
    expect(readTable(Uint8Array.from(bytes))).toEqual(readTable(bytes));
    expect(readTable(changed(() => undefined))).toEqual(readTable(bytes));
  });
});

describe('models that have no table', () => {
  test.each<[string, (graph: Graph) => void]>([
    ['another step', (it) => (node(it, 3).opType = 'Add')],
    ['an extra step', (it) => it.node.push({ opType: 'Relu', input: ['scales'], output: ['more'] })],
    ['other inputs of a step', (it) => (node(it, 3).input = ['floats', 'floats'])],
    ['another output name', (it) => (node(it, 3).output = ['logits'])],
    ['another axis of rows', (it) => (node(it, 0).attribute = [{ name: 'axis', type: INT, i: 1 }])],
    ['another number type', (it) => (node(it, 1).attribute![0]!.i = FLOAT16)],
    ['no number type', (it) => (node(it, 1).attribute = [{ name: 'to', type: INT }])],
    ['no type of scales', (it) => delete (tensor(it, 'scale') as { dataType?: unknown }).dataType],
    ['custom operators', (it) => (node(it, 0).domain = 'ai.example')],
    ['another type of table', (it) => (tensor(it, 'table').dataType = FLOAT)],
    ['another type of scales', (it) => (tensor(it, 'scale').dataType = INT8)],
    ['a table of fewer rows', (it) => (tensor(it, 'table').dims = [1, DIMS])],
    ['a table without rows', (it) => Object.assign(tensor(it, 'table'), { dims: [0, 0], rawData: new Uint8Array() })],
    ['a table of three axes', (it) => (tensor(it, 'table').dims = [tokens.length, DIMS, 1])],
    ['scales of another shape', (it) => (tensor(it, 'scale').dims = [tokens.length])],
    ['scales in two encodings', (it) => Object.assign(tensor(it, 'scale'), { floatData: [1] })],
    ['data in another file', (it) => (tensor(it, 'table').dataLocation = EXTERNAL)],
    ['two tables', (it) => it.initializer.push(tensor(it, 'table'))],
    [
      'another tensor',
      (it) => it.initializer.push({ name: 'more', dims: [1], dataType: FLOAT, rawData: new Uint8Array(4) }),
    ],
    ['infinite scales', (it) => (tensor(it, 'scale').rawData = new Uint8Array(4 * tokens.length).fill(0x7f))],
    ['no graph', (it) => Object.assign(it, new onnx.GraphProto())],
  ])('a model with %s has no table', (_, change) => {
    expect(readTable(changed(change))).toBeNull();
  });

  test('a model file that is cut short has no table', () => {
    for (let end = 0; end < bytes.length; end += end < 200 ? 1 : 37)
      expect(readTable(bytes.subarray(0, end))).toBeNull();
  });

  test('bytes that are no model have no table, even with huge lengths or deeply nested groups', () => {
    const huge = [0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f];
    for (const hostile of [[], huge, new Array<number>(50_000).fill(0x0b), [0x3a, 0x02, 0x2a, 0xff]]) {
      expect(readTable(Uint8Array.from(hostile))).toBeNull();
    }
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (it) => readTable(it) === null));
  });

  test('a model with one changed byte gives a table of the same size, or none', () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const broken = Uint8Array.from(bytes);
        broken[at] = (broken[at] ?? 0) ^ by;
        const table = readTable(broken);
        expect([undefined, tokens.length * DIMS]).toContain(table?.rows.length);
        expect([undefined, tokens.length]).toContain(table?.scales.length);
      }),
      { numRuns: 2000 },
    );
  });
});
