import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { devBundle } from '../../../compiler/app/dev/dev-bundle.ts';
import { openWorkingTree } from '../../../compiler/io/git/working-tree.ts';
import { openKeptResults } from '../../../compiler/world/kept-results.ts';
import { development } from '../../../compiler/world/trust-keys.ts';
import { tempFolder } from '../../support/folder.ts';
import { worldIn } from '../../support/world.ts';
import { generate } from '../generate.ts';
import { report, spread, time } from '../measure.ts';

const AGENTS = 20;
const UNITS = 15;

function repository(): string {
  const repo = join(tempFolder(), 'repo');
  mkdirSync(repo);
  generate(repo, { agents: AGENTS, units: UNITS, commits: 20, touched: 5 });
  return repo;
}

async function session(repo: string) {
  const world = worldIn(repo);
  const tree = await openWorkingTree({ repo, folder: 'instructions' });
  const folder = join(tempFolder(), 'bundle');
  const key = development(world);
  const kept = openKeptResults(key.root, key.signer, world);
  return { tree, compile: devBundle({ tree, folder, key, models: 'models', kept }, world) };
}

test('one changed unit is compiled and written in 500 ms by a warm vade dev', async () => {
  const repo = repository();
  const { tree, compile } = await session(repo);
  const cold = await time(compile);
  const warm: number[] = [];
  const cpu: number[] = [];
  for (let turn = 0; turn < 9; turn++) {
    appendFileSync(join(repo, 'instructions/agents/agent-0003/unit-004.md'), `\nMore of turn ${turn}.\n`);
    const before = process.cpuUsage();
    const began = performance.now();
    const { bundle, gardens, reused } = await compile();
    warm.push(performance.now() - began);
    const { user, system } = process.cpuUsage(before);
    expect([bundle === null, gardens - reused]).toEqual([false, 2]);
    cpu.push((user + system) / 1000);
  }
  // the first turns compile this program
  const [wall, work] = [spread(warm.slice(3)).median, spread(cpu.slice(3)).median];
  const looks: number[] = [];
  for (let turn = 0; turn < 20; turn++) looks.push(await time(() => tree.stamp()));
  // the fastest one: others share this machine
  const look = Math.min(...looks);
  report(`${AGENTS} agents, ${AGENTS * UNITS} units: the first compile of vade dev`, `${cold.toFixed(0)} ms`, '');
  report('  one changed unit, warm', `${wall.toFixed(0)} ms, ${work.toFixed(0)} of the CPU`, '≤ 500 ms of the CPU');
  report('  the same as a share of the first', `${((100 * wall) / cold).toFixed(1)} %`, '≤ 20 %');
  report('  one look at every file', `${look.toFixed(1)} ms`, '≤ 10 ms');
  expect(work).toBeLessThanOrEqual(500);
  expect(wall / cold).toBeLessThanOrEqual(0.2);
  expect(look).toBeLessThanOrEqual(10);
});

test('thousands of changes at once are one compile', async () => {
  const repo = repository();
  const { tree, compile } = await session(repo);
  await compile();
  const before = tree.stamp();
  mkdirSync(join(repo, 'instructions/shared'), { recursive: true });
  for (let i = 0; i < 3000; i++) writeFileSync(join(repo, 'instructions/shared', `stray-${i}.txt`), 'x');
  expect(tree.stamp()).not.toBe(before);
  const ms = await time(compile);
  report('3,000 new files: a compile', `${ms.toFixed(0)} ms`, '');
});
