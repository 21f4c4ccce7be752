import { test } from 'vitest';
import { ask, migrated } from './ask.ts';
import { CEO_INTENTS } from './intents.ts';
import { rowsOf, summaryOf } from './tokens.ts';

const DOCUMENTS = `${import.meta.dirname}/ceo`;

/** How deep the tables are told whole. */
const TOLD = [3, 4];

test('fourteen intents on real instruction files, as migrated, no synonym added by hand', async () => {
  const repo = await migrated(DOCUMENTS, 'ceo');
  const found = await ask(repo, DOCUMENTS, 'ceo', CEO_INTENTS, [1, 2, 3, 4, 5]);
  const tables = [...found].filter(([depth]) => TOLD.includes(depth));
  const lines = [
    ...tables.flatMap(([depth, answers]) => [`  max_chunks ${depth}:`, ...rowsOf(answers)]),
    ...[...found].map(([depth, answers]) => summaryOf(`max_chunks ${depth}`, answers)),
  ];
  process.stdout.write(`${['', ...lines, ''].join('\n')}\n`);
});
