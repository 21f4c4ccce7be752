import { expect, test } from 'vitest';
import { fromComments, fromWordnet } from '../../compiler/encoder/gather/texts.ts';
import type { Synset } from '../../compiler/encoder/gather/wordnet.ts';

const SHIP: Synset = {
  id: 'v1',
  lemmas: ['transport', 'send', 'ship', 'forward'],
  definition: 'transport commercially',
  examples: ['we ship it', 'it was sent', 'send it on'],
  relations: [
    { symbol: '@', target: 'v2' },
    { symbol: '!', target: 'v2' },
    { symbol: '+', target: 'n9' },
  ],
};
const MOVE: Synset = { id: 'v2', lemmas: ['move'], definition: 'change place', examples: [], relations: [] };

test('a synset gives its texts, and pairs with its lemmas and with given related synsets', () => {
  const { texts, pairs } = fromWordnet([SHIP, MOVE]);
  expect(texts).toEqual([
    ['definition', 'transport commercially'],
    ['example', 'we ship it'],
    ['example', 'it was sent'],
    ['example', 'send it on'],
    ['lemma', 'transport'],
    ['lemma', 'send'],
    ['lemma', 'ship'],
    ['lemma', 'forward'],
    ['definition', 'change place'],
    ['lemma', 'move'],
  ]);
  expect(pairs).toEqual([
    ['defined', 'transport', 'transport commercially'],
    ['defined', 'send', 'transport commercially'],
    ['defined', 'ship', 'transport commercially'],
    ['synonym', 'transport', 'send'],
    ['synonym', 'send', 'ship'],
    ['defined', 'we ship it', 'transport commercially'],
    ['defined', 'it was sent', 'transport commercially'],
    ['related', 'transport', 'move'],
    ['defined', 'move', 'change place'],
  ]);
});

test('a comment gives its sentences and pairs of neighbours, and a repeated comment gives nothing', () => {
  const text = 'A room is where people talk. It has a topic of its own. Too short here. Guests may leave it whenever.';
  const { texts, pairs } = fromComments([
    { name: 'room', text },
    { name: 'other room', text: text.toUpperCase() },
    { name: '', text: 'Nobody knows what this is called.' },
  ]);
  expect(texts).toEqual([
    ['comment', 'A room is where people talk.'],
    ['comment', 'It has a topic of its own.'],
    ['comment', 'Nobody knows what this is called.'],
  ]);
  expect(pairs).toEqual([
    ['named', 'room', text],
    ['next', 'A room is where people talk.', 'It has a topic of its own.'],
  ]);
});
