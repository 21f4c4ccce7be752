import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { describe, expect, test } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { mapWith } from '../../support/map-with.ts';

const exact = new Tiktoken(cl100k);
const text = fc.oneof(
  fc.lorem({ mode: 'sentences', maxCount: 10 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.json(),
  fc
    .array(fc.constantFrom('<|endoftext|>', '<|fim_prefix|>', 'word', '  ', '\n\n', '\t', '12345'))
    .map((it) => it.join('')),
);

describe('§21.1.2 tokens are those of cl100k', () => {
  test('the token count of any text is that of cl100k, with special tokens counted as text', () => {
    fc.assert(
      fc.property(text, (it) => {
        expect(countTokens(it)).toBe(exact.encode(it, [], []).length);
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['a very long word', 'a'.repeat(60_000)],
    ['very many spaces', ' '.repeat(60_000)],
    ['very many signs', '=!'.repeat(30_000)],
  ])('the token count of %s is at least that of its beginning', (_, it) => {
    expect(countTokens(it)).toBeGreaterThanOrEqual(exact.encode(it.slice(0, 2000), [], []).length);
  });
});

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
