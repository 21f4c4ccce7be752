import { describe, expect, test } from 'vitest';
import { BLANK_TOKEN, cutText, tokenLimit } from '../../../compiler/recall/encoder/static-model.ts';

describe('limits of an encoder', () => {
  test('an encoder reads at most 4000 characters, and never half a surrogate pair', () => {
    expect(cutText('x'.repeat(4000))).toBe('x'.repeat(4000));
    expect(cutText(`${'x'.repeat(4000)}y`)).toBe('x'.repeat(4000));
    expect(cutText(`${'x'.repeat(3999)}🚀`)).toBe('x'.repeat(3999));
    expect(cutText(`${'x'.repeat(3998)}🚀`)).toBe(`${'x'.repeat(3998)}🚀`);
    expect(cutText('🚀')).toBe('🚀');
  });

  test.each<[unknown[], number]>([
    [[512, 256], 256],
    [[512, '1'], 512],
    [[0, -1, 3], 3],
    [[2.9], 2],
    [[undefined, null], Infinity],
    [[1e30, 8], 8],
  ])('the token limit is the smallest positive number of %j', (limits, expected) => {
    expect(tokenLimit(limits)).toBe(expected);
  });

  test('a token without letters is blank', () => {
    expect(['', ' ', '▁', '▁▁', 'Ġ', 'Ċ', 'a', '▁a'].map((it) => BLANK_TOKEN.test(it))).toEqual([
      ...Array<boolean>(6).fill(true),
      false,
      false,
    ]);
  });
});
