import { test } from 'vitest';
import { askStranger, isBriefed, STRANGERS, type Stranger } from './strangers.ts';

const MINUTE = 60_000;

test.each(['as migrated', 'and with the answer to its brief'])(
  'files of twelve strangers, %s',
  async (how) => {
    const briefed = how !== 'as migrated';
    const found: Stranger[] = [];
    for (const name of Object.keys(STRANGERS)) {
      if (!briefed || isBriefed(name)) found.push(await askStranger(name, briefed));
    }
    process.stdout.write(`\n  ${how}:\n${[...found.map(rowOf), summary(found)].join('\n')}\n`);
  },
  20 * MINUTE,
);

const within = (ranks: Stranger['ranks'], most: number) => ranks.filter((it) => it !== null && it <= most).length;

function rowOf({ name, units, listed, linted, unsaid, probes, compiles, ranks }: Stranger): string {
  const hits = [1, 3, 12].map((most) => String(within(ranks, most)).padStart(2)).join(' / ');
  const state = `${listed} of ${units} listed`.padStart(18) + `${linted} lint findings, ${unsaid} unsaid`.padStart(28);
  const asked = probes.all === 0 ? '' : `, ${probes.passing} of ${probes.all} probes`;
  const outcome = compiles ? 'compiles' : 'fails   ';
  return `  ${name.padEnd(18)}${state}  ${outcome}  first, 3, 12: ${hits} of ${ranks.length}${asked}`;
}

function summary(found: readonly Stranger[]): string {
  const ranks = found.flatMap((it) => it.ranks);
  const sum = (of: (it: Stranger) => number) => found.reduce((all, it) => all + of(it), 0);
  const hits = [1, 3, 12].map((most) => within(ranks, most)).join(' / ');
  const listed = `${sum((it) => it.listed)} of ${sum((it) => it.units)} listed`;
  const findings = `${sum((it) => it.linted)} lint findings, ${sum((it) => it.unsaid)} of what the files leave unsaid`;
  return `  all: ${listed}, ${findings}, first, 3, 12: ${hits} of ${ranks.length}`;
}
