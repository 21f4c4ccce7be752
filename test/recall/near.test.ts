import { expect, test } from 'vitest';
import { ask, plant } from './garden.ts';

const CLOSE = [
  { name: 'alpha', intents: ['water the plants'] },
  { name: 'beta', intents: ['water the plants daily'] },
  { name: 'far', intents: ['paint the wall, and water it'] },
];
const ONE = { max_chunks: 1, candidates: 5 };

test('a second and a third page come from the share on that their score is of the first', async () => {
  const twins = ['delta', 'gamma'].map((name) => ({ name, intents: ['water the plants daily'] }));
  const garden = await plant([...CLOSE, ...twins]);
  const plain = ask(garden, 'water the plants', ONE);
  const [first, second] = plain.ranking.map((it) => plain.unit(it)?.score ?? 0) as [number, number];
  const share = Math.floor((100 * second) / first);
  const near = ask(garden, 'water the plants', { ...ONE, near_share: share });
  expect([plain.names, near.names]).toEqual([['alpha'], ['alpha', 'beta', 'delta']]);
  expect(near.outcome('beta')).toBe('ranked');
  expect(near.candidates?.map(({ name }) => name)).toEqual(['gamma', 'far']);
  expect(ask(garden, 'water the plants', { ...ONE, near_share: share + 1 }).names).toEqual(['alpha']);
});

test('a close second that has no room in the budget, or stands beside a named page, does not come', async () => {
  const garden = await plant(CLOSE);
  const near = { ...ONE, near_share: 1 };
  const tight = ask(garden, 'water the plants', { ...near, candidates: 0, token_budget: 19 });
  expect([tight.names, tight.outcome('beta')]).toEqual([['alpha'], 'over_token_budget']);
  expect(ask(garden, 'water the plants', { ...near, manifest_hint: ['far'] }).names).toEqual(['far']);
});

const PAY = { name: 'pay', files: ['**/*.ts', 'src/pay/**'] };
const TYPES = { name: 'types', files: ['*.ts'] };

test('with a share, a unit by files is a page of its own where its pattern says more than a file’s ending', async () => {
  const garden = await plant([...CLOSE, PAY, TYPES]);
  const about = { ...ONE, files: ['src/pay/a.ts'] };
  expect(ask(garden, 'water the wall', about).names).toEqual(['far']);
  const page = ask(garden, 'water the wall', { ...about, near_share: 99 });
  expect([page.names, page.outcome('pay')]).toEqual([['far', 'pay'], 'files']);
  expect(page.by_files).toEqual({ name: 'pay', pattern: 'src/pay/**', file: 'src/pay/a.ts' });
  const ending = ask(garden, 'water the wall', { ...about, near_share: 99, files: ['b.ts'] });
  expect([ending.names, ending.candidates?.[0]?.name]).toEqual([['far'], 'pay']);
});
