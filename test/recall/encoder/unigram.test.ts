import { PreTrainedTokenizer } from '@xenova/transformers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unigram } from '../../../compiler/encoder/gather/tokenizer.ts';
import { openUnigram } from '../../../compiler/recall/encoder/unigram.ts';

type Entry = [token: string, score: number];

/** The library's tokens of one word, by id; its types leave the model out. */
function library(vocab: readonly Entry[], unknown: number): (word: string) => number[] {
  const json = unigram(vocab);
  const { model } = new PreTrainedTokenizer({ ...json, model: { ...json.model, unk_id: unknown } }, {}) as unknown as {
    readonly model: {
      readonly encode: (words: string[]) => string[];
      readonly convert_tokens_to_ids: (tokens: string[]) => number[];
    };
  };
  return (word) => model.convert_tokens_to_ids(model.encode([word]));
}

const TOKEN = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 5 }) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: fc.constantFrom('a', 'é', '发', '🚀', '\ud83d', '\ude80'), maxLength: 3 }),
  },
  { weight: 1, arbitrary: fc.constantFrom('[UNK]', '\0', '__proto__', 'constructor', 'x'.repeat(300)) },
);
/** Sums of these tie, cancel and are rounded. */
const SCORE = fc.constantFrom(-1, -2, -0.1, -0.2, -0.3, 0, 0.1, 1e16, -1e16, 1e-16, -2.5, -5);
const VOCABULARY = fc
  .array(fc.tuple(TOKEN, SCORE), { minLength: 1, maxLength: 14 })
  .chain((vocab) => fc.tuple(fc.constant(vocab), fc.nat(vocab.length - 1)));
const WORD = fc.string({
  unit: fc.constantFrom('a', 'a', 'a', 'b', 'b', 'é', '发', '🚀', '\ud83d', 'x'),
  maxLength: 24,
});

describe('the tokens of a word', () => {
  test('a word has the tokens that the library gives, for any vocabulary and any scores', () => {
    fc.assert(
      fc.property(VOCABULARY, fc.array(WORD, { minLength: 1, maxLength: 8 }), ([vocab, unknown], words) => {
        const [own, other] = [openUnigram(vocab, unknown), library(vocab, unknown)];
        for (const word of words) expect(own.tokensOf(word)).toEqual(other(word));
      }),
      { numRuns: 4000 },
    );
  });

  test('a word of thousands of letters has the tokens that the library gives', () => {
    const vocab: Entry[] = [['[UNK]', -20], ...[1, 2, 3, 7, 40].map((n): Entry => ['ab'.repeat(n), -n])];
    const [own, other] = [openUnigram(vocab, 0), library(vocab, 0)];
    for (const word of ['ab'.repeat(2000), 'x'.repeat(4000), `${'ab'.repeat(999)}x`]) {
      expect(own.tokensOf(word)).toEqual(other(word));
    }
  });
});
