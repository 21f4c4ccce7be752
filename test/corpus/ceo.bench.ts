import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { ask, migrated } from './ask.ts';
import { CEO_INTENTS } from './intents.ts';
import { rowsOf, summaryOf } from './tokens.ts';

const DOCUMENTS = `${import.meta.dirname}/ceo`;

/** How deep the tables are told whole. */
const TOLD = [3, 4];

test.each([
  ['as migrated, no synonym added by hand', null],
  ['and with the answer to its brief', `${import.meta.dirname}/ceo-phrases.yaml`],
])('fourteen intents on real instruction files, %s', async (how, phrases) => {
  const repo = await migrated(DOCUMENTS, 'ceo');
  if (phrases !== null) repo.write('instructions/phrases/ceo.yaml', readFileSync(phrases, 'utf8')).commit('briefed');
  const found = await ask(repo, DOCUMENTS, 'ceo', CEO_INTENTS, [1, 2, 3, 4, 5]);
  const tables = [...found].filter(([depth]) => TOLD.includes(depth));
  const lines = [
    `  ${how}`,
    ...tables.flatMap(([depth, answers]) => [`  max_chunks ${depth}:`, ...rowsOf(answers)]),
    ...[...found].map(([depth, answers]) => summaryOf(`max_chunks ${depth}`, answers)),
  ];
  process.stdout.write(`${['', ...lines, ''].join('\n')}\n`);
});
