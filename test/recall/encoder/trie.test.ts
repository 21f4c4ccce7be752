import { describe, expect, test } from 'vitest';
import { buildTrie, follow, NONE } from '../../../compiler/recall/encoder/trie.ts';

const code = (letter: string) => letter.charCodeAt(0);

describe('the trie of a vocabulary', () => {
  const vocabulary = ['ab', 'b', 'a', 'acd', 'b', 'b🚀', '🚀', ''];
  const trie = buildTrie(vocabulary);

  test('the nodes of a trie are stored level by level, sorted by letter, and of equal tokens the last counts', () => {
    expect(trie).toEqual({
      letters: Uint16Array.from([0, ...['a', 'b', 'b', 'c', 'd'].map(code)]),
      branches: Int32Array.of(1, 3, 5, 5, 5, 6, 6),
      tokens: Int32Array.of(7, 2, 4, 0, NONE, 3),
    });
  });

  test.each([
    ['a', 2],
    ['b', 4],
    ['ab', 0],
    ['ac', NONE],
    ['acd', 3],
  ])('the trie finds %j as token %i', (word, token) => {
    const node = Array.from(word).reduce((at, letter) => follow(trie, at, code(letter)), 0);
    expect(trie.tokens[node]).toBe(token);
  });

  test.each([
    [0, 'c'],
    [0, '\0'],
    [1, 'a'],
    [1, 'z'],
    [2, 'b'],
    [5, 'd'],
  ])('the node %i has no branch %j', (node, letter) => {
    expect(follow(trie, node, code(letter))).toBe(NONE);
  });

  test('the trie finds each of many branches of one node', () => {
    const letters = Array.from('zyxwvutsrqponmlkjihgfedcba');
    const wide = buildTrie(letters);
    for (const [token, letter] of letters.entries()) expect(wide.tokens[follow(wide, 0, code(letter))]).toBe(token);
    expect(follow(wide, 0, code('{'))).toBe(NONE);
  });

  test('the trie of an empty vocabulary has only a root', () => {
    expect(buildTrie([])).toEqual({
      letters: Uint16Array.of(0),
      branches: Int32Array.of(1, 1),
      tokens: Int32Array.of(NONE),
    });
  });
});
