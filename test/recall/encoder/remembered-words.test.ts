import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStaticModel } from '../../../compiler/recall/encoder/static-model.ts';
import { exported } from '../../encoder/exported.ts';
import { mapWith } from '../../support/map-with.ts';

const { folder } = exported(['deploy', 'ticket'], 2, (_, place) => [place, 1]);
const model = openStaticModel((file) => readFileSync(join(folder, file)))!;

/** Reads so many different words, each in a text of its own. */
function readWords(prefix: string, count: number): void {
  for (let i = 0; i < count; i++) model.read(`${prefix}${i.toString(36)}`, '');
}

describe('the cached words of a static model', () => {
  test('a static model caches the tokens of at most 10,000 words, and its vectors stay the same', () => {
    const before = model.read('deploy ticket', '');
    const words = mapWith('firstword', () => model.read('firstword', ''));
    expect(words.size).toBeGreaterThan(1);
    readWords('a', 10_000 - words.size);
    expect([words.size, words.has('firstword')]).toEqual([10_000, true]);
    readWords('b', 1);
    expect([words.size, words.has('firstword')]).toEqual([1, false]);
    readWords('c', 25_000);
    expect(words.size).toBeLessThanOrEqual(10_000);
    expect(model.read('deploy ticket', '')).toEqual(before);
  });
});
