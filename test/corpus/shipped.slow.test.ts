import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { askShipped, askShippedOverMcp } from './shipped.ts';
import { figuresOf, percent } from './tokens.ts';

test('issue 7: nine of ten units that the shipped probes want come, most of them asked blind, at a fraction of the eager tokens', async () => {
  const found = await askShipped([3]);
  const { intents, came, wanted, share } = figuresOf(found.get(3) ?? []);
  const row = new RegExp(`${intents} probes, max_chunks 3 \\(default\\) *\\| ([^|]*?) *\\| ([^|]*?) *\\|`);
  const [, units, cost] = row.exec(readFileSync('compiler/recall/FIGURES.md', 'utf8')) ?? [];
  expect([units, cost]).toEqual([`${came} of ${wanted}`, percent(share)]);
  expect(intents).toBeGreaterThanOrEqual(40);
  // two of three probes were written by who saw neither triggers nor phrases
  expect(came / wanted).toBeGreaterThanOrEqual(0.9);
  // of whole answers; `npm run corpus` prints the figure as it is
  expect(share).toBeLessThan(0.2);
});

test('an answer over MCP has or names every unit that the shipped probes want', async () => {
  const { came, wanted } = figuresOf(await askShippedOverMcp());
  expect(came).toBe(wanted);
});
