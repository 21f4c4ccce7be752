import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import onnxProto from 'onnx-proto';
import { describe, expect, test } from 'vitest';
import { ENDINGS } from '../../compiler/encoder/gather/vocabulary.ts';
import { loadEncoder } from '../../compiler/io/models/encoder.ts';
import { openPipeline } from '../../compiler/io/models/pipeline.ts';
import { openStaticModel } from '../../compiler/recall/encoder/static-model.ts';
import { MODEL_FILES, ModelChoice } from '../../compiler/schema/source/org.ts';
import { exported, type RowOf } from './exported.ts';

const DIMS = 8;
const WORDS = [...ENDINGS, 'deploy', 'ticket', 'blank', 'board', 'escalate'];
const choice = ModelChoice.parse({ name: 'made' });

/** Rows of different lengths; `blank` says nothing, as do padding and what is unknown. */
const rowOf: RowOf = (token, place) =>
  token === 'blank' || token.startsWith('[')
    ? Array.from({ length: DIMS }, () => 0)
    : Array.from({ length: DIMS }, (_, d) => Math.sin(1 + place * DIMS + d) * 10 ** ((place % 5) - 2));

/** The int8 rows and scales of a model's graph. */
function tableOf(folder: string) {
  const { graph } = onnxProto.onnx.ModelProto.decode(readFileSync(join(folder, 'onnx/model_quantized.onnx')));
  const bytesOf = (name: string) => Uint8Array.from(graph!.initializer!.find((it) => it.name === name)!.rawData!);
  return { rows: new Int8Array(bytesOf('table').buffer), scales: new Float32Array(bytesOf('scale').buffer) };
}

const unit = (vector: readonly number[]) => vector.map((x) => x / Math.hypot(...vector));

describe('an exported model', () => {
  const made = exported(WORDS, DIMS, rowOf);

  test('an exported model gives a text the mean of the rows of its words, normalised to length 1', async () => {
    const { encoder } = await loadEncoder(made.models, choice);
    const [vector] = await encoder.encode(['Deploy tickets'], 'query');
    const rows = ['deploy', 'ticket', 's'].map((token) => rowOf(token, made.tokens.indexOf(token)));
    const wanted = unit(Array.from({ length: DIMS }, (_, d) => rows.reduce((sum, row) => sum + row[d]!, 0)));
    wanted.forEach((x, d) => {
      expect(Math.abs(vector![d]! - x)).toBeLessThan(0.01);
    });
  });

  test('an exported model gives no vector to a text whose rows are all zero', async () => {
    const { encoder } = await loadEncoder(made.models, choice);
    expect(await encoder.encode(['blank', 'blank Blank', '发布', ''], 'query')).toEqual([null, null, null, null]);
    expect((await encoder.encode(['blank ticket'], 'query'))[0]).toEqual(
      (await encoder.encode(['ticket'], 'query'))[0],
    );
  });

  test('the table and the ONNX pipeline of an exported model give the same vectors to the last bit', async () => {
    const table = openStaticModel((file) => readFileSync(join(made.folder, file)));
    const pipeline = await openPipeline(made.folder, 'mean');
    for (const text of ['deploy', 'escalate the ticket to the board', 'blank', 'xyz 发布 boards']) {
      expect(table?.read(text, '')).toEqual(await pipeline.read(text, ''));
    }
  });

  test('two exports of a model have the same bytes', () => {
    const again = exported(WORDS, DIMS, rowOf);
    for (const file of MODEL_FILES) {
      expect(readFileSync(join(again.folder, file)).equals(readFileSync(join(made.folder, file)))).toBe(true);
    }
  });
});

const isScrap = (token: string) => token.length === 1 && !ENDINGS.includes(token);

test('single characters of unknown words give no vector', async () => {
  const { models } = exported(WORDS, DIMS, () => new Array<number>(DIMS).fill(1));
  const { encoder } = await loadEncoder(models, ModelChoice.parse({ name: 'made' }));
  expect(await encoder.encode(['zxqv', 'z 7'], 'query')).toEqual([null, null]);
});

test('the export rounds each number to the nearest step of its row, and the largest number to 127 steps', () => {
  const float = fc.float({ min: -1000, max: 1000, noNaN: true }).filter((x) => x === 0 || Math.abs(x) > 1e-6);
  const row = fc.array(float, { minLength: DIMS, maxLength: DIMS });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (drawn) => {
      const wanted = (place: number) => drawn[place % drawn.length]!;
      const { folder, tokens } = exported(WORDS, DIMS, (_, place) => wanted(place));
      const { rows, scales } = tableOf(folder);
      expect([rows.length, scales.length]).toEqual([tokens.length * DIMS, tokens.length]);
      for (const t of tokens.keys()) {
        if (isScrap(tokens[t]!)) continue;
        const kept = [...rows.subarray(t * DIMS, (t + 1) * DIMS)];
        const off = kept.map((q, d) => Math.abs(q * scales[t]! - wanted(t)[d]!));
        expect(Math.max(...off)).toBeLessThanOrEqual(scales[t]! * 0.5001);
        expect(Math.max(...kept.map(Math.abs))).toBe(scales[t] === 0 ? 0 : 127);
      }
    }),
    { numRuns: 30 },
  );
});
