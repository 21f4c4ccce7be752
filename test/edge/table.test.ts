import fc from 'fast-check';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { openPipeline, type Reader } from '../../compiler/edge/pipeline.ts';
import { openTable } from '../../compiler/edge/table.ts';

const folder = process.env['VADE_TRIAL'] ?? fileURLToPath(new URL('../../compiler/encoder/model', import.meta.url));

const WORDS =
  "wrap up the ticket, escalate — café naïve REDEPLOYS healthcheck re-open 42 v2.0 发布 リリース 🚀 don’t zzzqqq ...!? it's \t \n x".split(
    ' ',
  );

describe('a table looked up instead of run', () => {
  let table: Reader;
  let pipeline: Reader;
  beforeAll(async () => {
    expect(existsSync(folder)).toBe(true);
    const opened = await openTable(folder);
    if (opened === null) throw new TypeError('the built-in model is no table');
    table = opened;
    pipeline = await openPipeline(folder, 'mean');
  });

  const same = async (text: string, prefix: string) => {
    expect(await table.read(text, prefix)).toEqual(await pipeline.read(text, prefix));
  };

  test('words, signs and other scripts give the same vector to the last bit', async () => {
    const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 30 }).map((words) => words.join(' '));
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('', 'query: '), (it, prefix) => same(it, prefix)),
      { numRuns: 300 },
    );
  });

  test('any text at all gives the same vector to the last bit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 80 }), (it) => same(it, '')),
      { numRuns: 300 },
    );
  });

  test('a text longer than the model reads is cut at the same token', async () => {
    await same('escalate the ticket to the board, then wrap up. '.repeat(80), '');
    await same('发布'.repeat(600), '');
  });
});
