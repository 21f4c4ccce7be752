import { existsSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { createBed, type Bed } from './bed.ts';
import { outcomeOf, readKinds, readTable, TABLE, type KindOutcomes } from './lines.ts';

const HEAD = `# Written by: npx vitest run --config vitest.bench.config.ts test/attack (-t 'a kind' runs that kind alone)
# Each line was run twice in the bed (bed.ts): free to write all of it, and confined with the lists of the task. Below each
# outcome, which is what holds the line and the effect that it has where it is free, are the lines that have it. A line
# without an effect there shows nothing: the cause is named instead.
`;

const KINDS = readKinds();
const beds: Bed[] = [];
const found = new Map<string, KindOutcomes>();

beforeAll(async () => {
  beds.push(...(await Promise.all(Array.from({ length: availableParallelism() }, createBed))));
});

afterAll(() => {
  for (const it of existsSync(TABLE) ? readTable() : []) if (!found.has(it.why)) found.set(it.why, it);
  const table = KINDS.flatMap(({ why }) => found.get(why) ?? []);
  writeFileSync(TABLE, HEAD + stringify(table, { lineWidth: 0, singleQuote: true }));
});

test.each(KINDS)('held by the system or the check: $why', async ({ why, commands }) => {
  const waiting = [...commands];
  const outcomes = new Map<string, string>();
  const work = async (bed: Bed) => {
    for (let it = waiting.shift(); it !== undefined; it = waiting.shift()) outcomes.set(it, await outcomeOf(bed, it));
  };
  await Promise.all(beds.map(work));
  const names = [...new Set(outcomes.values())].sort();
  const linesOf = (name: string) => commands.filter((it) => outcomes.get(it) === name).sort();
  found.set(why, { why, outcomes: Object.fromEntries(names.map((it) => [it, linesOf(it)])) });
  expect(names.filter((it) => it.startsWith('nothing'))).toEqual([]);
});
