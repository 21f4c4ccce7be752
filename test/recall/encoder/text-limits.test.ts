import { describe, expect, test } from 'vitest';
import { BLANK_TOKEN, cutText, tokenLimit } from '../../../compiler/recall/encoder/static-model.ts';
import { openUnigram } from '../../../compiler/recall/encoder/unigram.ts';

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

describe('the most likely tokens of a word', () => {
  const { tokensOf, unknown } = openUnigram(
    [
      ['[UNK]', -20],
      ['a', -1],
      ['aa', -1.5],
      ['b', -3],
      ['bcd', -4],
    ],
    0,
  );

  test.each<[string, number[]]>([
    ['', []],
    ['a', [1]],
    ['aa', [2]],
    ['aab', [2, 3]],
    ['aaa', [1, 2]],
    ['x', [0]],
    ['xyz', [0, 0, 0]],
    ['axb', [1, 0, 3]],
    ['bcd', [4]],
    ['bc', [3, 0]],
    ['abcda', [1, 4, 1]],
  ])('the most likely tokens of %j are %j', (word, expected) => {
    expect(tokensOf(word)).toEqual(expected);
    expect(unknown).toBe(0);
  });

  test('an unknown letter is ten less likely than the least likely token', () => {
    const of = (likely: number) =>
      openUnigram(
        [
          ['[UNK]', 0],
          ['ab', likely],
          ['abc', -5],
        ],
        0,
      ).tokensOf('abc');
    expect([of(10.5), of(9.5)]).toEqual([[1, 0], [2]]);
  });
});
