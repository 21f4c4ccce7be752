import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseVocabulary, ENDINGS, type WordEvidence } from '../../compiler/encoder/gather/vocabulary.ts';

const LEVELS = [10, 20, 35, 40, 50, 55, 60];
const LETTERS = 'bcfghjkm';

/** A word of four consonants for each number: no form of any other. */
const coined = (i: number) => [512, 64, 8, 1].map((place) => LETTERS[Math.floor(i / place) % 8]!).join('') + 'q';

const evidence = (over: Partial<WordEvidence> = {}): WordEvidence => ({
  levels: new Map(),
  teacher: [],
  uses: new Map(),
  kept: new Set(),
  ...over,
});

/** Evidence of sixty words, with many a tie. */
const SMALL = evidence({
  levels: new Map(Array.from({ length: 60 }, (_, i) => [coined(i), LEVELS[i % 7]!])),
  teacher: Array.from({ length: 20 }, (_, i) => coined(i * 3)),
  uses: new Map(Array.from({ length: 40 }, (_, i) => [coined(70 - i), i % 4])),
  kept: new Set(['heartbeat', 'webhook', coined(5)]),
});

const permuted = <T>(entries: Iterable<T>) => {
  const list = [...entries];
  return fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length });
};

describe('the words of the vocabulary', () => {
  test('the vocabulary begins with the endings, then has words from common to rare', () => {
    const levels = new Map([
      ['rare', 60],
      ['common', 10],
      ['middling', 35],
    ]);
    expect(chooseVocabulary(evidence({ levels }), 100).words).toEqual([...ENDINGS, 'common', 'middling', 'rare']);
  });

  test('the vocabulary always has the endings and the words to keep', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), (wanted) => {
        const { words } = chooseVocabulary(SMALL, wanted);
        expect(words).toEqual(expect.arrayContaining([...SMALL.kept]));
        expect(words.slice(0, ENDINGS.length)).toEqual(ENDINGS);
      }),
    );
  });

  test('the vocabulary does not depend on the order of the evidence', () => {
    const orders = fc.tuple(permuted(SMALL.levels), permuted(SMALL.uses), permuted(SMALL.kept));
    fc.assert(
      fc.property(orders, fc.integer({ min: 0, max: 100 }), ([levels, uses, kept], wanted) => {
        const again = { ...SMALL, levels: new Map(levels), uses: new Map(uses), kept: new Set(kept) };
        expect(chooseVocabulary(again, wanted)).toEqual(chooseVocabulary(SMALL, wanted));
      }),
    );
  });

  test('a word comes first by dictionaries, by the teacher model or by its uses', () => {
    const levels = new Map(['first', 'second', 'third'].map((word) => [word, 50]));
    const frontOf = (over: Partial<WordEvidence>) =>
      chooseVocabulary(evidence({ levels, ...over }), 100).words[ENDINGS.length];
    expect(frontOf({})).toBe('first');
    expect(frontOf({ levels: new Map([...levels, ['third', 10]]) })).toBe('third');
    expect(frontOf({ teacher: ['second'] })).toBe('second');
    expect(frontOf({ uses: new Map([['third', 9]]) })).toBe('third');
  });
});

describe('regular forms', () => {
  const common = [
    ...Array.from({ length: 4096 }, (_, i) => coined(i)),
    ...Array.from({ length: 2905 }, (_, i) => `${coined(i)}z`),
  ];
  const levels = new Map(['badge', 'badges', 'ticket', ...common].map((it) => [it, 10]));
  for (const word of ['tickets', 'ticketing', 'reticket', 'deploys', 'zest', 'ours']) levels.set(word, 60);
  const { words, forms } = chooseVocabulary(evidence({ levels, kept: new Set(['deploy']) }), 20_000);

  test('the regular forms of common words are in the vocabulary', () => {
    expect(words).toEqual(expect.arrayContaining(['badge', 'badges']));
  });

  test('the regular forms of rarer words are left out if their base word is in the vocabulary', () => {
    expect([...forms].sort()).toEqual(['deploys', 'ticketing', 'tickets']);
    expect(words).toEqual(expect.arrayContaining(['deploy', 'ticket', 'reticket', 'zest', 'ours']));
    expect(words.filter((it) => forms.includes(it))).toEqual([]);
  });
});
