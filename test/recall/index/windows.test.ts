import { describe, expect, test } from 'vitest';
import { buildVectors } from '../../../compiler/recall/index/vectors.ts';
import { recall } from '../../../compiler/recall/recall.ts';
import type { Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { NOW, plant } from '../garden.ts';

/** Encodes what speaks of trains as one vector and all else as another. */
const encode: Encoder['encode'] = (texts) =>
  Promise.resolve(texts.map((it) => (it.includes('train') ? Float32Array.of(1, 0) : Float32Array.of(0, 1))));

/** The texts that are encoded of a content, after its title and its long text. */
async function windowsOf(content: string): Promise<string[]> {
  const asked: string[] = [];
  const listening: Encoder['encode'] = (texts, role) => {
    asked.push(...texts);
    return encode(texts, role);
  };
  const unit = { description: 'Bears', headings: [], content, intents: [], keywords: [], phrases: [] };
  const { texts } = await buildVectors([unit], { dims: 2, encode: listening });
  expect(texts).toEqual([asked.length - 1]);
  return asked.slice(2);
}

describe('the windows of a content', () => {
  test.each([
    [0, []],
    [1_200, []],
    [1_201, [1_200, 1]],
    [2_400, [1_200, 1_200]],
    [9_600, Array<number>(8).fill(1_200)],
    [100_000, Array<number>(8).fill(1_200)],
  ])('a content of %i characters has windows of %j', async (length, expected) => {
    const content = Array.from({ length }, (_, at) => at % 10).join('');
    const windows = await windowsOf(content);
    expect(windows.map((it) => it.length)).toEqual(expected);
    expect(content.startsWith(windows.join(''))).toBe(true);
  });

  test.each([
    ['in its long text', 0, true],
    ['after it', 1_500, true],
    ['in its last window', 9_500, true],
    ['beyond its windows', 9_700, false],
  ])('a unit is found by what its text says %s', async (_, at, isFound) => {
    const content = `${'b '.repeat(at / 2)}train ${'b '.repeat(1_000)}`;
    const garden = await plant([{ name: 'bears', content }, { name: 'zoo' }], { dims: 2, encode });
    const request = RecallRequest.parse({ intent: 'zzz' });
    const { explain } = recall(garden, request, { now: NOW, query: Int8Array.of(127, 0), explain: true });
    expect(explain?.units.map(({ semantic }) => (semantic ?? 0) > 0)).toEqual([isFound, false]);
  });
});
