import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ask, migrated } from './ask.ts';
import { CEO_INTENTS } from './intents.ts';
import { figuresOf } from './tokens.ts';

const DOCUMENTS = `${import.meta.dirname}/ceo`;

/** The answer to a brief of phrases, by who did not see the questions. */
const PHRASES = `${import.meta.dirname}/ceo-phrases.yaml`;

test('real instruction files are migrated, compiled, served and asked, at a fraction of their tokens', async () => {
  const repo = await migrated(DOCUMENTS, 'ceo');
  const answers = (await ask(repo, DOCUMENTS, 'ceo', CEO_INTENTS, [3])).get(3) ?? [];
  expect(answers.length).toBe(14);
  for (const answer of answers) {
    expect(answer.units.length).toBeGreaterThan(0);
    expect(answer.units.length).toBeLessThanOrEqual(3);
    expect(answer.lazyTokens / answer.eagerTokens).toBeLessThan(0.5);
  }
  // `npm run corpus` prints the answers, honestly; here only that recall finds more than chance would
  expect(figuresOf(answers).full).toBeGreaterThan(8);
});

test('with the answer to its brief, thirteen of fourteen find their section among three at less than a third of the tokens', async () => {
  const repo = await migrated(DOCUMENTS, 'ceo');
  repo.write('instructions/phrases/ceo.yaml', readFileSync(PHRASES, 'utf8')).commit('briefed');
  const { full, share } = figuresOf((await ask(repo, DOCUMENTS, 'ceo', CEO_INTENTS, [3])).get(3) ?? []);
  expect(full).toBeGreaterThanOrEqual(13);
  expect(share).toBeLessThanOrEqual(0.3);
});
