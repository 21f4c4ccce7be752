import { describe, expect, test } from 'vitest';
import { buildTrie, follow, NONE } from '../../../compiler/recall/encoder/trie.ts';

const code = (letter: string) => letter.charCodeAt(0);

describe('the trie of a vocabulary', () => {
  const vocabulary = ['b', 'ab', 'a', 'acd', 'b', 'b🚀', '🚀', ''];
  const trie = buildTrie(vocabulary);

  test('its nodes stand level by level, sorted by letter; of equal tokens the last one counts', () => {
    expect(trie).toEqual({
      letters: Uint16Array.from([0, ...['a', 'b', 'b', 'c', 'd'].map(code)]),
      branches: Int32Array.of(1, 3, 5, 5, 5, 6, 6),
      tokens: Int32Array.of(7, 2, 4, 1, NONE, 3),
    });
  });

  test.each([
    ['a', 2],
    ['b', 4],
    ['ab', 1],
    ['ac', NONE],
    ['acd', 3],
  ])('%j leads to token %i', (word, token) => {
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
  ])('from node %i there is no branch %j', (node, letter) => {
    expect(follow(trie, node, code(letter))).toBe(NONE);
  });

  test('many branches of one node are all found', () => {
    const letters = Array.from('zyxwvutsrqponmlkjihgfedcba');
    const wide = buildTrie(letters);
    for (const [token, letter] of letters.entries()) expect(wide.tokens[follow(wide, 0, code(letter))]).toBe(token);
    expect(follow(wide, 0, code('{'))).toBe(NONE);
  });

  test('an empty vocabulary has a root alone', () => {
    expect(buildTrie([])).toEqual({
      letters: Uint16Array.of(0),
      branches: Int32Array.of(1, 1),
      tokens: Int32Array.of(NONE),
    });
  });
});
