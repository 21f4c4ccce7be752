import { expect, test } from 'vitest';
import { ask, migrated } from './ask.ts';
import { CEO_INTENTS } from './intents.ts';

const DOCUMENTS = `${import.meta.dirname}/ceo`;

test('real instruction files are migrated, compiled, served and asked, at a fraction of their tokens', async () => {
  const repo = await migrated(DOCUMENTS, 'ceo');
  const answers = await ask(repo, DOCUMENTS, 'ceo', CEO_INTENTS);
  expect(answers.length).toBe(14);
  for (const answer of answers) {
    expect(answer.units.length).toBeGreaterThan(0);
    expect(answer.units.length).toBeLessThanOrEqual(3);
    expect(answer.share).toBeLessThan(0.5);
  }
  // what came is printed, honestly, by `npm run corpus`; here only that recall finds more than chance would
  expect(answers.filter((it) => it.came).length).toBeGreaterThan(4);
});
