import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { openPipeline, type Reader } from '../../../compiler/io/models/pipeline.ts';
import { openStaticModel } from '../../../compiler/recall/encoder/static-model.ts';
import { exported } from '../../encoder/exported.ts';

const folder = process.env['VADE_TRIAL'] ?? fileURLToPath(new URL('../../../compiler/encoder/model', import.meta.url));

const WORDS =
  "wrap up the ticket, escalate — café naïve REDEPLOYS healthcheck re-open 42 v2.0 发布 リリース 🚀 don’t zzzqqq ...!? it's \t \n x".split(
    ' ',
  );

describe('a static model that is looked up instead of run', () => {
  let table: Reader;
  let pipeline: Reader;
  beforeAll(async () => {
    expect(existsSync(folder)).toBe(true);
    const opened = openStaticModel((file) => readFileSync(join(folder, file)));
    if (opened === null) throw new TypeError('the built-in model is not static');
    table = opened;
    pipeline = await openPipeline(folder, 'mean');
  });

  test('unknown tokens count as in the runtime if their row is not zero, once for each run of them', async () => {
    const { folder: made } = exported(['deploy', 'ticket'], 3, (_, place) => [Math.sin(place), Math.cos(place), 1]);
    const [own, run] = [openStaticModel((it) => readFileSync(join(made, it))), await openPipeline(made, 'mean')];
    const text = fc
      .array(fc.constantFrom('deploy', '发布', '🚀', 'Tickets', '...', 'qx', '', 'é'), { maxLength: 12 })
      .map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('', '发 ', 'deploy '), async (it, prefix) => {
        expect(own?.read(it, prefix)).toEqual(await run.read(it, prefix));
      }),
      { numRuns: 200 },
    );
  });

  const same = async (text: string, prefix: string) => {
    expect(await table.read(text, prefix)).toEqual(await pipeline.read(text, prefix));
  };

  test('words, signs and other scripts give the same vector as the runtime, to the last bit', async () => {
    const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('', 'query: '), (it, prefix) => same(it, prefix)),
      { numRuns: 300 },
    );
  });

  test('any text gives the same vector as the runtime, to the last bit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 80 }), (it) => same(it, '')),
      { numRuns: 300 },
    );
  });

  test('a text longer than the model’s limit is cut at the same token as in the runtime', async () => {
    await same('escalate the ticket to the board, then wrap up. '.repeat(80), '');
    await same('发布'.repeat(600), '');
  });
});

test('the built-in model is opened without the library and its runtime', () => {
  const script = `
    const { loadEncoder } = await import('./dist/compiler/io/models/encoder.js');
    const { encoder } = await loadEncoder('.', 'builtin');
    await encoder.encode(['deploy'], 'query');
    const { createRequire } = await import('node:module');
    console.log(JSON.stringify(Object.keys(createRequire(import.meta.url)('node:module')._cache)));
  `;
  const out = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  // of both, the version that a bundle pins is read
  const modules = (JSON.parse(out) as string[]).filter((it) => !it.endsWith('package.json'));
  expect(modules.some((it) => it.includes('protobufjs'))).toBe(true);
  expect(modules.filter((it) => /onnx|transformers|sharp|jinja/.test(it))).toEqual([]);
});
