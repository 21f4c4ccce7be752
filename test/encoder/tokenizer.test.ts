import { beforeAll, describe, expect, test } from 'vitest';
import { SPECIAL, tokenizerOf } from '../../compiler/encoder/gather/tokenizer.ts';
import { ENDINGS } from '../../compiler/encoder/gather/vocabulary.ts';
import { libraryTokenizer } from '../support/tokenizer.ts';
import { exported } from './exported.ts';

/** How the library takes a text apart. */
type Cut = (text: string) => string[];

async function tokenizing(words: readonly string[]): Promise<Cut> {
  const { folder } = exported([...ENDINGS, ...words], 2, () => [1, 0]);
  const tokenizer = await libraryTokenizer(folder);
  return (text) => tokenizer.model.convert_ids_to_tokens(tokenizer.encode(text, null, { add_special_tokens: false }));
}

describe('a tokenizer of a few words', () => {
  let cut: Cut;
  beforeAll(async () => {
    cut = await tokenizing(['the', 're', 'ticket', 'deploy', 'health', 'check', 'roll', 'out', 'rollout']);
  });

  test('the tokenizer keeps known words whole in any case and with accents', () => {
    expect(cut('Rollout the TICKET, déploy!')).toEqual(['rollout', 'the', 'ticket', '[UNK]', 'deploy', '[UNK]']);
  });

  test('the tokenizer splits unknown words into the fewest known pieces', () => {
    expect(cut('redeploys')).toEqual(['re', 'deploy', 's']);
    expect(cut('ticketing checked')).toEqual(['ticket', 'ing', 'check', 'ed']);
    expect(cut('healthcheck rollouts')).toEqual(['health', 'check', 'rollout', 's']);
  });

  test('the tokenizer gives one [UNK] for a run of other scripts and signs', () => {
    expect(cut('发布')).toEqual(['[UNK]']);
    expect(cut('リリース 🚀 배포 …')).toEqual(['[UNK]']);
    expect(cut('发布 ticket 🚀')).toEqual(['[UNK]', 'ticket', '[UNK]']);
  });
});

describe('a tokenizer with as many words as the built-in model', () => {
  const LETTERS = 'etaoinshrdlucmfwypvbgk';
  const own = new Set(ENDINGS);
  // words of two to five letters, the likeliest to be cheaper in pieces
  const words = Array.from({ length: 60_000 }, (_, i) => {
    let [rest, word] = [(i * 7919) % 480_000, ''];
    while (rest > 0 || word.length < 2) [word, rest] = [word + LETTERS[rest % 22]!, Math.floor(rest / 22)];
    return word;
  });
  const distinct = [...new Set(words)].filter((word) => !own.has(word)).slice(0, 27_000);

  test('a tokenizer of 27,000 words keeps each of them whole', async () => {
    const cut = await tokenizing(distinct);
    expect(distinct).toHaveLength(27_000);
    expect(distinct.some((word) => word.length === 2)).toBe(true);
    expect(distinct.filter((word) => cut(word).join('+') !== word)).toEqual([]);
  });
});

test('the vocabulary has each token once: padding, unknown, characters, words', () => {
  const { model } = tokenizerOf([...ENDINGS, 'ticket', 'deploy']);
  const tokens = model.vocab.map(([token]) => token);
  expect(tokens.slice(0, 3)).toEqual([...SPECIAL, 'a']);
  expect(tokens.slice(-2)).toEqual(['ticket', 'deploy']);
  expect(new Set(tokens).size).toBe(tokens.length);
  expect(tokens[model.unk_id]).toBe('[UNK]');
});
