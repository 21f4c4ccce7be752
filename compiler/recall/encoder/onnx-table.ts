import protobuf from 'protobufjs/minimal.js';
import type { StaticTable } from './static-table.ts';

const NUMBER = 0;
const BYTES = 2;

/** A field's tag in onnx.proto: its number and wire type. */
const field = (number: number, wireType: number) => (number << 3) | wireType;

const MODEL = { graph: field(7, BYTES), ignored: [1, 2, 3, 4, 5, 6, 8, 14] };
const GRAPH = { node: field(1, BYTES), tensor: field(5, BYTES), ignored: [2, 10, 11, 12, 13] };
const NODE = { input: field(1, BYTES), output: field(2, BYTES), op: field(4, BYTES), attribute: field(5, BYTES) };
const ATTRIBUTE = { name: field(1, BYTES), int: field(3, NUMBER), ignored: [20] };
const TENSOR = { dims: field(1, BYTES), dim: field(1, NUMBER), type: field(2, NUMBER), name: field(8, BYTES) };
const RAW_DATA = field(9, BYTES);
/** Names and documentation of nodes and tensors; ignored. */
const NODE_WORDS = [3, 6];
const TENSOR_WORDS = [12];
const FLOAT = 1;
const INT8 = 3;

/** The only graph that is read here: a token's row as floats, times its scale. Any other graph needs the runtime. */
const STATIC_GRAPH =
  `rows=Gather(table,input_ids) floats=Cast(rows,to:${String(FLOAT)}) ` +
  'scales=Gather(scale,input_ids) last_hidden_state=Mul(floats,scales)';

/** With scales below this, no product with a row exceeds the range of float32. */
const MAX_SCALE = 2 ** 100;

interface Tensor {
  readonly dims: readonly number[];
  readonly type: number;
  readonly data: Uint8Array;
}

type Read = (reader: protobuf.Reader) => void;

/** Reads one message, field by field, by tag. @throws if it has an unknown field or is truncated */
function readMessage(bytes: Uint8Array, fields: Readonly<Record<number, Read>>, ignored: readonly number[] = []): void {
  // not `create`: for a Buffer it returns a reader that truncates strings silently
  const reader = new protobuf.Reader(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const read = fields[tag];
    if (read) read(reader);
    else if (ignored.includes(tag >>> 3) && [NUMBER, BYTES].includes(tag & 7)) reader.skipType(tag & 7);
    else throw new TypeError(`field ${String(tag >>> 3)} does not belong to a static model`);
  }
}

/** One node of a graph as text. */
function readNode(bytes: Uint8Array): string {
  const inputs: string[] = [];
  const outputs: string[] = [];
  let op = '';
  readMessage(
    bytes,
    {
      [NODE.input]: (it) => inputs.push(it.string()),
      [NODE.output]: (it) => outputs.push(it.string()),
      [NODE.op]: (it) => (op = it.string()),
      [NODE.attribute]: (it) => inputs.push(readAttribute(it.bytes())),
    },
    NODE_WORDS,
  );
  return `${outputs.join(',')}=${op}(${inputs.join(',')})`;
}

function readAttribute(bytes: Uint8Array): string {
  let name = '';
  let value = 0;
  const fields = {
    [ATTRIBUTE.name]: (it: protobuf.Reader) => (name = it.string()),
    [ATTRIBUTE.int]: (it: protobuf.Reader) => (value = Number(it.int64())),
  };
  readMessage(bytes, fields, ATTRIBUTE.ignored);
  return `${name}:${String(value)}`;
}

function readTensor(bytes: Uint8Array): [name: string, Tensor] {
  const dims: number[] = [];
  let name = '';
  let type = 0;
  let data = new Uint8Array();
  readMessage(
    bytes,
    {
      [TENSOR.dims]: (it) => {
        const end = it.uint32() + it.pos;
        while (it.pos < end) dims.push(Number(it.int64()));
      },
      [TENSOR.dim]: (it) => dims.push(Number(it.int64())),
      [TENSOR.type]: (it) => (type = it.int32()),
      [TENSOR.name]: (it) => (name = it.string()),
      [RAW_DATA]: (it) => (data = it.bytes() as Uint8Array<ArrayBuffer>),
    },
    TENSOR_WORDS,
  );
  return [name, { dims, type, data }];
}

/** The nodes of a model's graph as text, and its tensors. */
function readGraph(model: Uint8Array): { steps: string; tensors: readonly (readonly [string, Tensor])[] } {
  const graphs: Uint8Array[] = [];
  readMessage(model, { [MODEL.graph]: (it) => graphs.push(it.bytes()) }, MODEL.ignored);
  const steps: string[] = [];
  const tensors: [string, Tensor][] = [];
  for (const graph of graphs) {
    const fields = {
      [GRAPH.node]: (it: protobuf.Reader) => steps.push(readNode(it.bytes())),
      [GRAPH.tensor]: (it: protobuf.Reader) => tensors.push(readTensor(it.bytes())),
    };
    readMessage(graph, fields, GRAPH.ignored);
  }
  return { steps: steps.join(' '), tensors };
}

/**
 * Reads the table from a model's graph without the runtime; its rows are a view of the same bytes. Untrusted input: the
 * file may come from a hub. Null if the graph is not a plain look-up or is malformed; then the runtime decides.
 *
 * @param model bytes of an ONNX file
 */
export function readTable(model: Uint8Array): StaticTable | null {
  try {
    const { steps, tensors } = readGraph(model);
    return steps === STATIC_GRAPH && tensors.length === 2 ? tableOf(new Map(tensors)) : null;
  } catch {
    return null;
  }
}

function tableOf(tensors: ReadonlyMap<string, Tensor>): StaticTable | null {
  const table = tensors.get('table');
  const scale = tensors.get('scale');
  if (table?.type !== INT8 || scale?.type !== FLOAT) return null;
  const [tokens = 0, dims = 0] = table.dims;
  const isWhole = tokens > 0 && dims > 0 && table.dims.length === 2 && table.data.length === tokens * dims;
  if (!isWhole || scale.dims.join() !== `${String(tokens)},1` || scale.data.length !== 4 * tokens) return null;
  const rows = new Int8Array(table.data.buffer, table.data.byteOffset, table.data.length);
  const bytes = new DataView(scale.data.buffer, scale.data.byteOffset, scale.data.length);
  const scales = new Float32Array(tokens);
  for (let token = 0; token < tokens; token++) scales[token] = bytes.getFloat32(4 * token, true);
  return scales.every((it) => Math.abs(it) < MAX_SCALE) ? { dims, rows, scales } : null;
}
