import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGit } from '../../../compiler/io/git/git.ts';
import { openSources } from '../../../compiler/io/git/open-sources.ts';
import { findRepository } from '../../../compiler/io/git/repository.ts';
import { vade } from '../../support/cli.ts';
import { tempFolder } from '../../support/folder.ts';
import { costOf } from '../command-cost.ts';
import { agentName, generate, type Shape } from '../generate.ts';
import { inTurns, report, time } from '../measure.ts';

const AUTHOR = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];

function repositoryOf(shape: Shape): string {
  const repo = join(tempFolder(), 'repo');
  mkdirSync(repo);
  generate(repo, shape);
  return repo;
}

async function compile(repo: string, args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const { code, stdout } = await vade(['compile', '--dev', '--quiet', ...args], repo, env);
  expect(code, stdout.slice(0, 500)).toBe(0);
}

test('two compiles of one commit are byte-identical, whatever the folder, the time zone and the locale', async () => {
  // so many gardens that threads judge them
  const repo = repositoryOf({ agents: 20, units: 6, commits: 10, touched: 12 });
  await compile(repo, ['--out', 'a'], { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' });
  await compile(repo, ['--out', 'b'], { TZ: 'America/Los_Angeles', LC_ALL: 'C' });
  await compile(repo, ['--out', 'c', '--previous', 'a']);
  const differs = (left: string, right: string) => spawnSync('diff', ['-r', left, right], { cwd: repo }).status;
  expect([differs('a', 'b'), differs('a', 'c')]).toEqual([0, 0]);
  report('two compiles, other time zone and locale, with --previous', 'identical', 'diff -r is empty');
});

test('an unchanged recompile costs a tenth of a cold one, or a second; one with a changed unit little more', async () => {
  const repo = repositoryOf({ agents: 100, units: 20, commits: 20, touched: 2000 });
  const cold = await time(() => compile(repo, []));
  const warm = Math.min(
    await time(() => compile(repo, ['--previous', 'bundle'])),
    await time(() => compile(repo, ['--previous', 'bundle'])),
  );
  appendFileSync(join(repo, 'instructions/agents', agentName(50), 'unit-007.md'), '9. one more line.\n');
  spawnSync('git', [...AUTHOR, 'commit', '-qam', 'x'], { cwd: repo });
  const changed = await time(() => compile(repo, ['--previous', 'bundle']));
  report('2,000 units, 20 commits: cold compile', `${cold.toFixed(0)} ms`, '≤ 10 s on two cores');
  report(
    '  unchanged, with --previous',
    `${warm.toFixed(0)} ms = ${((100 * warm) / cold).toFixed(1)} %`,
    '≤ 10 % or ≤ 1 s',
  );
  report(
    '  one unit changed',
    `${changed.toFixed(0)} ms = ${((100 * changed) / cold).toFixed(1)} %`,
    '≤ 15 % or ≤ 1.5 s',
  );
  expect(warm <= 1000 || warm <= cold / 10).toBe(true);
  expect(changed <= 1500 || changed <= 0.15 * cold).toBe(true);

  const figures = (args: readonly string[]) => {
    const { wall, cpu } = costOf(['compile', '--dev', '--quiet', ...args], repo);
    return `${wall.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU`;
  };
  // with the start of node, and code that nothing has run before
  report('  in a process of its own: cold', figures(['--out', 'again']), '≤ 10 s on two cores');
  report('    unchanged', figures(['--previous', 'bundle']), '');
  appendFileSync(join(repo, 'instructions/agents', agentName(50), 'unit-007.md'), '10. another one.\n');
  spawnSync('git', [...AUTHOR, 'commit', '-qam', 'x'], { cwd: repo });
  report('    one unit changed', figures(['--previous', 'bundle']), '≤ 1.5 s');
});

test('a cold compile costs as much for each text, however many units and versions there are', async () => {
  const shapes: readonly Shape[] = [
    { agents: 20, units: 20, commits: 0, touched: 0 },
    { agents: 40, units: 20, commits: 0, touched: 0 },
    { agents: 80, units: 20, commits: 0, touched: 0 },
    { agents: 160, units: 20, commits: 0, touched: 0 },
    { agents: 40, units: 20, commits: 10, touched: 800 },
    { agents: 40, units: 20, commits: 20, touched: 800 },
  ];
  // modules that are loaded once are no part of the curve
  await compile(repositoryOf({ agents: 16, units: 2, commits: 0, touched: 0 }), []);
  const costs: number[] = [];
  for (const shape of shapes) {
    const repo = repositoryOf(shape);
    const before = process.cpuUsage();
    await compile(repo, []);
    const { user, system } = process.cpuUsage(before);
    costs.push((user + system) / 1000);
    const units = shape.agents * shape.units;
    const figure = `${costs.at(-1)?.toFixed(0) ?? ''} ms of CPU`;
    report(`${units} units, ${shape.commits} commits that change each`, figure, '');
  }
  const [first = 1, , , eightfold = 0, ten = 1, twenty = 0] = costs;
  report('  eight times the units', `${(eightfold / first).toFixed(1)} ×`, '≤ 12 ×');
  report('  twice the history', `${(twenty / ten).toFixed(1)} ×`, '≤ 2.5 ×');
  expect(eightfold / first).toBeLessThanOrEqual(12);
  expect(twenty / ten).toBeLessThanOrEqual(2.5);
});

test('20,000 units compile in the memory of a small machine, at the cost of ten times 2,000', () => {
  const small = costOf(
    ['compile', '--dev', '--quiet'],
    repositoryOf({ agents: 125, units: 16, commits: 0, touched: 0 }),
  );
  const large = costOf(
    ['compile', '--dev', '--quiet'],
    repositoryOf({ agents: 1250, units: 16, commits: 0, touched: 0 }),
  );
  const figures = ({ cpu, wall, peak }: typeof small) =>
    `${wall.toFixed(1)} s, ${cpu.toFixed(1)} s CPU, ${peak.toFixed(0)} MiB`;
  report('2,000 units in a process', figures(small), '');
  report('20,000 units in a process', figures(large), '≤ 90 s on two cores, ≤ 1,500 MiB');
  expect(large.peak).toBeLessThanOrEqual(1500);
  expect(large.cpu / small.cpu).toBeLessThanOrEqual(14);
});

test('20,000 units with eight phrases each compile in the memory of a small machine', () => {
  const shape = { agents: 1250, units: 16, commits: 0, touched: 0, phrases: 8 };
  const { wall, cpu, peak } = costOf(['compile', '--dev', '--quiet'], repositoryOf(shape));
  const figure = `${wall.toFixed(1)} s, ${cpu.toFixed(1)} s CPU, ${peak.toFixed(0)} MiB`;
  report('20,000 units with eight phrases in a process', figure, '≤ 1,500 MiB');
  expect(peak).toBeLessThanOrEqual(1500);
}, 1_800_000);

test('20,000 commits of history are read in three seconds', async () => {
  const repo = repositoryOf({ agents: 1, units: 10, commits: 20_000, touched: 1 });
  const sources = await openSources({ repo, folder: 'instructions', ref: 'HEAD', lenient: false });
  const place = await findRepository(repo);
  const git = place && (await openGit(place));
  const log = ['log', '--raw', '--first-parent', 'HEAD', '--', 'instructions'];
  const { ours, theirs } = await inTurns(
    () => sources.history([]),
    () => git?.text(log),
  );
  report('20,000 commits read', `${ours.toFixed(0)} ms`, '≤ 3,000 ms');
  report('  against a bare git log --raw', `${(ours / theirs).toFixed(2)} ×`, '');
  expect(ours).toBeLessThanOrEqual(3000);
});
