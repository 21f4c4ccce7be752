import { describe, expect, test } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { mapWith } from '../../support/map-with.ts';

/** A word of four letters, another one for each number. */
const word = (i: number) =>
  [17_576, 676, 26, 1].map((it) => String.fromCharCode(97 + (Math.floor(i / it) % 26))).join('');

describe('the pieces whose tokens are remembered', () => {
  test('are 50,000 at most, however many texts are counted', () => {
    const pieces = mapWith('Xfirst', () => countTokens('Xfirst'));
    const count = (prefix: string, words: number) =>
      countTokens(Array.from({ length: words }, (_, i) => ` ${prefix}${word(i)}`).join(''));
    count('Y', 50_000 - pieces.size);
    expect([pieces.size, pieces.has('Xfirst')]).toEqual([50_000, true]);
    count('Z', 1);
    expect([pieces.size, pieces.has('Xfirst')]).toEqual([1, false]);
  });
});
