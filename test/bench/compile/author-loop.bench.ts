import { spawnSync } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { devBundle } from '../../../compiler/app/dev/dev-bundle.ts';
import { openWorkingTree } from '../../../compiler/io/git/working-tree.ts';
import { KEPT_RESULTS, openKeptResults } from '../../../compiler/world/kept-results.ts';
import { development } from '../../../compiler/world/trust-keys.ts';
import { tempFolder } from '../../support/folder.ts';
import { worldIn } from '../../support/world.ts';
import { costOf } from '../command-cost.ts';
import { report } from '../measure.ts';

const AUTHOR = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];

/** The repository as it is committed, with its handbook, in a folder of its own. */
function shipped(): string {
  const repo = join(tempFolder(), 'repo');
  git(process.cwd(), ['clone', '--quiet', process.cwd(), repo]);
  return repo;
}

function git(cwd: string, args: readonly string[]): void {
  expect(spawnSync('git', [...AUTHOR, ...args], { cwd }).status, args[0]).toBe(0);
}

/** Changes one unit, in a commit. */
function edit(repo: string, unit: string, line: string): void {
  appendFileSync(join(repo, 'instructions', unit), `\n${line}\n`);
  git(repo, ['commit', '--quiet', '-am', 'bench']);
}

const COMPILE = ['compile', '--dev', '--quiet'];
const TURNS = 3;

/** The least that a command costs in some turns, in seconds of the processor: others share this machine. */
function least(turn: (at: number) => number): number {
  return Math.min(...Array.from({ length: TURNS }, (_, at) => turn(at)));
}

function tell(what: string, cpu: number, limit: number): void {
  report(what, `${cpu.toFixed(2)} s of CPU`, `≤ ${limit} s`);
  expect(cpu).toBeLessThanOrEqual(limit);
}

test('the shipped handbook is compiled and linted while its author waits', () => {
  const repo = shipped();
  const cold = least(() => {
    rmSync(join(repo, '.vade', KEPT_RESULTS), { force: true });
    rmSync(join(repo, 'bundle'), { recursive: true, force: true });
    return costOf(COMPILE, repo).cpu;
  });
  const again = [...COMPILE, '--previous', 'bundle'];
  const unchanged = least(() => costOf(again, repo).cpu);
  const changed = (unit: string) =>
    least((at) => {
      edit(repo, unit, `One more line, the ${at + 1}th.`);
      return costOf(again, repo).cpu;
    });
  const own = changed('agents/ceo/delegation.md');
  const shared = changed('shared/meetings.md');
  const lint = least(() => costOf(['lint'], repo).cpu);
  report('node -e 0', `${least(() => nothing()).toFixed(2)} s of CPU`, '');
  tell('the shipped handbook: cold', cold, 2.5);
  tell('  nothing changed, with --previous', unchanged, 0.6);
  tell('  one unit of an agent changed', own, 1.3);
  tell('  one shared unit changed', shared, 2);
  tell('  vade lint', lint, 0.9);
});

/** The cost of starting Node on this machine. */
function nothing(): number {
  const hook =
    'process.once("exit", () => { const { user, system } = process.cpuUsage(); process.stdout.write(String((user + system) / 1e6)); })';
  return Number(spawnSync(process.execPath, ['-e', hook]).stdout.toString());
}

test('one changed unit of the shipped handbook is compiled by a warm vade dev', async () => {
  const repo = shipped();
  const world = worldIn(repo);
  const key = development(world);
  const kept = openKeptResults(key.root, key.signer, world);
  const tree = await openWorkingTree({ repo, folder: 'instructions' });
  const compile = devBundle({ tree, folder: join(tempFolder(), 'bundle'), key, models: 'models', kept }, world);
  await compile();
  const costs: number[] = [];
  // the first turns compile this program
  for (let turn = 0; turn < 9; turn++) {
    appendFileSync(join(repo, 'instructions/agents/ceo/delegation.md'), `\nMore of turn ${turn}.\n`);
    const before = process.cpuUsage();
    expect((await compile()).bundle).not.toBeNull();
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1e6);
  }
  tell('  one unit changed, warm vade dev', Math.min(...costs.slice(3)), 0.3);
});
