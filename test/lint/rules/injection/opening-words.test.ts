import { expect, test } from 'vitest';
import { narrowedBy, openingWords } from '../../../../compiler/lint/rules/injection/opening-words.ts';

test('a pattern begins with a word where its source does, and with no known word where anything else is possible', () => {
  expect(openingWords("\\b(?:do not|don't|cease) (?:follow|obey)")).toEqual(['do', 'don', 'cease']);
  expect(openingWords('\\bfrom now on,? you')).toEqual(['from']);
  for (const source of [
    '\\b(?:e-?mail|post) it',
    'send it',
    '\\b(?:|send) it',
    '(?:^|\\n)new rules:',
    '\\bsends? it',
    '忽略',
  ])
    expect(openingWords(source), source).toBeNull();
});

test('only phrases whose first word is in the text are searched, and those without a known first word always', () => {
  const phrases = ['\\bignore all', '\\b(?:send|post) it', '(?:^|\\n)system:'].map((source) => ({
    source,
    openings: openingWords(source),
  }));
  const possible = narrowedBy(phrases);
  const sourcesIn = (text: string) => possible(text).map(({ source }) => source.at(-1));
  expect(sourcesIn('please post it')).toEqual(['t', ':']);
  expect(sourcesIn('postpone, resend, ignored')).toEqual([':']);
  expect(sourcesIn('do ignore all, or post it')).toEqual(['l', 't', ':']);
});
