import { describe, expect, test } from 'vitest';
import { follow, NONE, openTrie, type Trie } from '../../../compiler/recall/encoder/trie.ts';

const code = (letter: string) => letter.charCodeAt(0);
/** The node that the letters of a word lead to. */
const nodeOf = (trie: Trie, word: string) =>
  Array.from(word).reduce((at, letter) => (at === NONE ? NONE : follow(trie, at, code(letter))), 0);

describe('the trie of a vocabulary', () => {
  const vocabulary = ['ab', 'b', 'a', 'acd', 'b', 'b🚀', '🚀', ''];

  test.each([
    ['', 7],
    ['a', 2],
    ['b', 4],
    ['ab', 0],
    ['ac', NONE],
    ['acd', 3],
  ])('the trie finds %j as token %i, and of equal tokens the last', (word, token) => {
    const trie = openTrie(vocabulary);
    expect(trie.tokens[nodeOf(trie, word)]).toBe(token);
  });

  test.each(['c', '\0', 'aa', 'az', 'bb', 'b\ud83d', 'acdd', '\ud83d'])(
    'nothing in the trie begins with %j',
    (word) => {
      expect(nodeOf(openTrie(vocabulary), word)).toBe(NONE);
    },
  );

  test('nodes are laid when they are asked for, sorted by letter, and once', () => {
    const trie = openTrie(vocabulary);
    expect(trie.count).toBe(1);
    nodeOf(trie, 'b');
    expect(Array.from(trie.letters.subarray(0, trie.count))).toEqual([0, code('a'), code('b')]);
    for (const word of ['ab', 'ab', 'acd', 'acdd', 'bb']) nodeOf(trie, word);
    expect(Array.from(trie.letters.subarray(0, trie.count))).toEqual([0, ...['a', 'b', 'b', 'c', 'd'].map(code)]);
    expect(trie.letters.length).toBeGreaterThanOrEqual(trie.count);
  });

  test('the trie finds each of many branches of one node', () => {
    const letters = Array.from('zyxwvutsrqponmlkjihgfedcba');
    const wide = openTrie(letters);
    for (const [token, letter] of letters.entries()) expect(wide.tokens[follow(wide, 0, code(letter))]).toBe(token);
    expect(follow(wide, 0, code('{'))).toBe(NONE);
  });

  test('the trie of an empty vocabulary has only a root', () => {
    const trie = openTrie([]);
    expect([follow(trie, 0, code('a')), trie.tokens[0], trie.count]).toEqual([NONE, NONE, 1]);
  });
});
