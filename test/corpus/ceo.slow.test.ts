import { expect, test } from 'vitest';
import { ask, migrated } from './ask.ts';
import { CEO_INTENTS } from './intents.ts';
import { figuresOf } from './tokens.ts';

const DOCUMENTS = `${import.meta.dirname}/ceo`;

test('real instruction files are migrated, compiled, served and asked, at a fraction of their tokens', async () => {
  const repo = await migrated(DOCUMENTS, 'ceo');
  const found = await ask(repo, DOCUMENTS, 'ceo', CEO_INTENTS, [3, 4]);
  const answers = found.get(3) ?? [];
  expect(answers.length).toBe(14);
  for (const answer of answers) {
    expect(answer.units.length).toBeGreaterThan(0);
    expect(answer.units.length).toBeLessThanOrEqual(3);
    expect(answer.lazyTokens / answer.eagerTokens).toBeLessThan(0.5);
  }
  // what came is printed, honestly, by `npm run corpus`; here only that recall finds more than chance would
  expect(figuresOf(answers).full).toBeGreaterThan(4);
  // at most a fifth of the tokens, with one chunk more than a recall asks for by itself. Wanted are 13 of 14: a table of
  // words close to these questions reached them, the sections' own words do not (README.md says what was tried)
  const deeper = figuresOf(found.get(4) ?? []);
  expect(deeper.full).toBeGreaterThanOrEqual(12);
  expect(deeper.share).toBeLessThanOrEqual(0.2);
});
