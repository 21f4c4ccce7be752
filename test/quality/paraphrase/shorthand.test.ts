import { describe, expect, test } from 'vitest';
import { respell } from '../../../compiler/quality/paraphrase/shorthand.ts';

describe('a paraphrase respells whole words, and never a part of one', () => {
  test.each([
    ['restart the prod server', 'restart the production server'],
    ['open a pull request', 'open a PR'],
    ['who reviews (the PR)?', 'who reviews (the pull request)?'],
    ['the repo.', 'the repository.'],
  ])('respelling abbreviates or spells out whole words: %s', (text, respelled) => {
    expect(respell(text)).toBe(respelled);
  });

  test.each([
    'edit config.yaml',
    'read docs/setup',
    'look into src/lib',
    'ask info@acme',
    'see PR#12',
    'set $env',
    'run `repo`',
    'restart prod.internal',
    'name it café-info',
    'the préprod host',
    'look at prodé',
    'write to <info>',
    'pass --env=x',
    'the unit:repo unit',
  ])('respelling does not change a part of a word or name: %s', (text) => {
    expect(respell(text)).toBe(text);
  });
});
