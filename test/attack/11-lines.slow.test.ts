import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describeWhere } from '../support/loudly.ts';
import { isConfinable } from '../support/sandboxes.ts';
import { createBed } from './bed.ts';
import { outcomeOf, readKinds, readTable } from './lines.ts';

const TABLE = readTable();
const isHeld = (outcome: string) => /^(system|check):/.test(outcome);
const heldIn = ({ outcomes }: (typeof TABLE)[number]) => Object.entries(outcomes).filter(([it]) => isHeld(it));

test('the table has every line, each kind a line that is held, and none that is not', () => {
  const sorted = (lines: readonly string[]) => [...lines].sort();
  const lines = TABLE.map(({ why, outcomes }) => [why, sorted(Object.values(outcomes).flat())]);
  expect(lines).toEqual(readKinds().map(({ why, commands }) => [why, sorted(commands)]));
  expect(TABLE.filter((it) => heldIn(it).length === 0)).toEqual([]);
  expect(TABLE.flatMap((it) => Object.keys(it.outcomes)).filter((it) => it.startsWith('nothing'))).toEqual([]);
});

test('the figures count the lines by what holds them', () => {
  const figures = readFileSync('compiler/capabilities/FIGURES.md', 'utf8').replaceAll(/ +/g, ' ');
  const all = TABLE.flatMap(({ outcomes }) => Object.entries(outcomes));
  const count = (by: RegExp) => all.filter(([it]) => by.test(it)).flatMap(([, lines]) => lines).length;
  const row = (name: string, effect: string) =>
    `| ${name} | ${count(new RegExp(`^system: ${effect}`))} | ${count(new RegExp(`^check: ${effect}`))} |`;
  for (const it of ['a file of the tree', 'a push', 'another folder', 'main’s .git']) {
    expect(figures).toContain(row(it, `(.*, )?${it}`));
  }
  expect(figures).toContain(row('all', ''));
  expect(figures).toContain(`${count(/^not shown/)} of ${count(/^/)} lines`);
});

const missing = await isConfinable('required');

describeWhere(
  missing === '',
  'commands of a confined agent',
  missing,
)('lines that the gate lets pass', () => {
  test('a line of each kind is held as the table says', async () => {
    const waiting = [...TABLE];
    const found: Record<string, string | undefined> = {};
    const work = async () => {
      const bed = await createBed();
      for (let kind = waiting.shift(); kind; kind = waiting.shift()) {
        // short lines need few programs
        const lines = heldIn(kind).flatMap(([outcome, all]) => all.map((line) => ({ outcome, line })));
        for (const { outcome, line } of lines.sort((a, b) => a.line.length - b.line.length).slice(0, MOST_TRIED)) {
          const now = await outcomeOf(bed, line);
          // its program is absent here, or it ends before what it starts
          if (now.startsWith('not shown')) continue;
          found[kind.why] = now === outcome ? 'as in the table' : `${line}: ${now}`;
          break;
        }
      }
    };
    await Promise.all([work(), work()]);
    expect(found).toEqual(Object.fromEntries(TABLE.map(({ why }) => [why, 'as in the table'])));
  });
});

/** Of a kind: where so many lines show nothing the others do neither. */
const MOST_TRIED = 6;
