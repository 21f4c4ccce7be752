import { test } from 'vitest';
import { compileStranger, isBriefed, STRANGERS, type Stranger } from './strangers.ts';

const MINUTE = 60_000;

test.each(['as migrated', 'and with the answer to its brief'])(
  'files of nine strangers, %s',
  async (how) => {
    const briefed = how !== 'as migrated';
    const found: Stranger[] = [];
    for (const name of Object.keys(STRANGERS)) {
      if (!briefed || isBriefed(name)) found.push(await compileStranger(name, briefed));
    }
    process.stdout.write(`\n  ${how}:\n${[...found.map(rowOf), summary(found)].join('\n')}\n`);
  },
  20 * MINUTE,
);

function rowOf({ name, units, listed, linted, unsaid, probes, compiles }: Stranger): string {
  const state = `${listed} of ${units} listed`.padStart(18) + `${linted} lint findings, ${unsaid} unsaid`.padStart(28);
  const asked = probes.all === 0 ? '' : `, ${probes.passing} of ${probes.all} probes`;
  const outcome = compiles ? 'compiles' : 'fails   ';
  return `  ${name.padEnd(18)}${state}  ${outcome}${asked}`;
}

function summary(found: readonly Stranger[]): string {
  const sum = (of: (it: Stranger) => number) => found.reduce((all, it) => all + of(it), 0);
  const listed = `${sum((it) => it.listed)} of ${sum((it) => it.units)} listed`;
  const findings = `${sum((it) => it.linted)} lint findings, ${sum((it) => it.unsaid)} of what the files leave unsaid`;
  return `  all: ${listed}, ${findings}`;
}
