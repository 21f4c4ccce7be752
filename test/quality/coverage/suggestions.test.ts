import { describe, expect, test } from 'vitest';
import { createSuggest } from '../../../compiler/quality/coverage/suggestions.ts';
import { plant } from '../../recall/garden.ts';

// Each of these words is in as many texts as its place says.
const garden = await plant([
  { name: 'a', content: 'rare common usual\n' },
  { name: 'b', content: 'common usual\n' },
  ...['c', 'd', 'e', 'f', 'g', 'h'].map((name) => ({ name, content: 'usual\n' })),
]);
const suggest = (description: string, paraphrases: readonly string[], intents: readonly string[] = []) =>
  createSuggest(garden)(
    { name: 'a', intents, description },
    paraphrases.map((paraphrase) => ({ intent: '', paraphrase, rank: null, outranked_by: [] })),
  );

describe('§21.8.3: words that would help a unit', () => {
  test('words that few units have come first, words of no unit before all', () => {
    expect(suggest('usual common unheard rare', [])).toEqual(['unheard', 'rare', 'common', 'usual']);
  });

  test('words that several paraphrases use come first; the description counts as one of them', () => {
    expect(suggest('', ['unheard once', 'twice twice', 'twice'])).toEqual(['twice', 'once', 'unheard']);
    expect(suggest('twice', ['unheard once', 'twice'])).toEqual(['twice', 'once', 'unheard']);
    expect(suggest('zeta', ['alpha'])).toEqual(['alpha', 'zeta']);
    expect(suggest('', ['unheard', 'rare', 'rare'])).toEqual(['rare', 'unheard']);
  });

  test('words with equal weight are in alphabetical order, eight at most', () => {
    const words = 'kilo juliet india hotel golf foxtrot echo delta bravo';
    expect(suggest(words, [])).toEqual([...words.split(' ')].sort().slice(0, 8));
  });

  test('the words that the triggers have in another form, stop words, short words and frames are left out', () => {
    expect(suggest('restoring the disks of it', ['a disk to restore by ox or cat'], ['restore disk'])).toEqual(['cat']);
    expect(suggest('what should somebody do about flights', [])).toContain('flights');
    expect(suggest('what should I do', ['how do I do it'])).toEqual([]);
  });

  test('a pair of neighbouring words of a trigger keeps no single word out', () => {
    expect(suggest('zulu', [], ['alpha bravo'])).toEqual(['zulu']);
    expect(suggest('alpha zulu', [], ['bravo'])).toEqual(['alpha', 'zulu']);
  });
});
