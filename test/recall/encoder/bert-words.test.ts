import { PreTrainedTokenizer } from '@xenova/transformers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unigram } from '../../../compiler/encoder/gather/tokenizer.ts';
import { bertWords } from '../../../compiler/recall/encoder/bert-words.ts';

/** The parts of the library's tokenizer that make words; their types leave them out. */
interface WordMaker {
  readonly normalizer: (text: string) => string;
  readonly pre_tokenizer: (text: string) => readonly string[];
}

const library = new PreTrainedTokenizer(unigram([['[UNK]', -20]]), {}) as unknown as WordMaker;
const libraryWords = (text: string) => library.pre_tokenizer(library.normalizer(text));

const same = (text: string) => {
  expect(bertWords(text)).toEqual(libraryWords(text));
};

/** Each character of a range, alone among letters. */
function everyCharacter(from: number, to: number): string[] {
  return Array.from({ length: Math.ceil((to - from) / 128) }, (_, i) =>
    Array.from({ length: 128 }, (_, j) => `A${String.fromCodePoint(from + i * 128 + j)}É`).join(' '),
  );
}

describe('the words of a text', () => {
  test.each([
    ['the basic plane', 0, 0x10000],
    ['the supplementary plane', 0x10000, 0x20000],
    ['more ideographs', 0x20000, 0x32000],
    ['tags and variation selectors', 0xe0000, 0xe0200],
    ['the last private plane', 0x10ff00, 0x110000],
  ])('each text is split into the words that the library gives, for every character of %s', (_, from, to) => {
    for (const text of everyCharacter(from, to)) same(text);
  });

  test('any text is split into the words that the library gives, even with broken characters', () => {
    const units = fc.array(fc.nat(0xffff), { maxLength: 40 }).map((them) => String.fromCharCode(...them));
    fc.assert(fc.property(units, same), { numRuns: 2000 });
  });

  test('a text of many scripts and odd spaces is split into the words that the library gives', () => {
    const pieces = fc.constantFrom(
      ...'Ticket,ΣΑΣ,Σ,İstanbul,ﬁn,naïve,발행,발,发布,㐀,豈,𠀀,リリース,🚀,👩‍👩‍👧,e\u0301\u0327,\u0301,\u0085'.split(','),
      ...Array.from(' \t\n\r\0\u00a0\u00ad\u180e\u200b\u2028\u3000\ufeff\ufffd\u037e\u1fef`_~$+¿—.,\ud83d\ude80'),
    );
    const text = fc.array(pieces, { maxLength: 30 }).map((them) => them.join(''));
    fc.assert(fc.property(text, same), { numRuns: 2000 });
  });
});
