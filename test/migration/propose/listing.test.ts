import { expect, it } from 'vitest';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import type { MigrationOptions } from '../../../compiler/migration/propose/proposal.ts';
import { Delivery } from '../../../compiler/schema/source/unit.ts';
import { proposeUnits } from './unsettled.ts';

const TOPICS = Array.from({ length: 12 }, (_, i) => `## Topic number ${i}\n\ntext about ${i}\n`).join('\n');
const HAS = { priority: 1 };

/** How many entries are proposed for an agent that has these units already. */
function listedBeside(others: MigrationOptions['others'] = []): number {
  const options = { agent: 'x', countTokens, others };
  return proposeUnits([{ path: 'AGENTS.md', text: TOPICS }], new Map(), options).entries.length;
}

const units = (count: number, more: object) =>
  Array.from({ length: count }, (_, i) => ({
    name: `a${i}`,
    content: `Text of another unit, ${i}\n`,
    delivery: Delivery.parse({ description: 'Another unit of it', ...more }),
  }));

it('§21.2.1 counts the other units that the agent has: those that its manifest lists take places', () => {
  const alone = listedBeside();
  expect(listedBeside(units(25, HAS))).toBeLessThan(alone);
  expect(listedBeside(units(25, { ...HAS, listed: false }))).toBe(alone);
  expect(listedBeside(units(1, HAS))).toBe(alone);
});
