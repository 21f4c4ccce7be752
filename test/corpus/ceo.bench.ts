import { test } from 'vitest';
import { ask, migrated, type Answered } from './ask.ts';
import { CEO_INTENTS } from './intents.ts';

const DOCUMENTS = `${import.meta.dirname}/ceo`;

test('fourteen intents on real instruction files', async () => {
  const repo = await migrated(DOCUMENTS, 'ceo');
  const answers = await ask(repo, DOCUMENTS, 'ceo', CEO_INTENTS);
  process.stdout.write(`${['', ...answers.map(line), summary(answers), ''].join('\n')}\n`);
});

function line({ intent, units, lazyTokens, share, came }: Answered): string {
  const cost = `${lazyTokens} tokens`.padStart(11);
  const percent = `${(100 * share).toFixed(1)} %`.padStart(7);
  return `  ${came ? 'came  ' : 'missed'} ${cost} ${percent}  ${intent.padEnd(58)} ${units.join(', ')}`;
}

function summary(answers: readonly Answered[]): string {
  const came = answers.filter((it) => it.came).length;
  const share = answers.reduce((total, it) => total + it.share, 0) / answers.length;
  return `  ${came} of ${answers.length} came, at ${(100 * share).toFixed(1)} % of the eager tokens on average`;
}
