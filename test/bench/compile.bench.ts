import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openGit } from '../../compiler/io/git/git.ts';
import { openSources } from '../../compiler/io/git/open-sources.ts';
import { findRepository } from '../../compiler/io/git/repository.ts';
import { vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { generate, type Shape } from './generate.ts';
import { inTurns, report, time } from './measure.ts';

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
  const repo = repositoryOf({ agents: 10, units: 12, commits: 10, touched: 12 });
  await compile(repo, ['--out', 'a'], { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' });
  await compile(repo, ['--out', 'b'], { TZ: 'America/Los_Angeles', LC_ALL: 'C' });
  await compile(repo, ['--out', 'c', '--previous', 'a']);
  const differs = (left: string, right: string) => spawnSync('diff', ['-r', left, right], { cwd: repo }).status;
  expect([differs('a', 'b'), differs('a', 'c')]).toEqual([0, 0]);
  report('two compiles, other time zone and locale, with --previous', 'identical', 'diff -r is empty');
});

test('an unchanged recompile costs a tenth of a cold one, or a second', async () => {
  const repo = repositoryOf({ agents: 100, units: 20, commits: 20, touched: 2000 });
  const cold = await time(() => compile(repo, []));
  const warm = Math.min(
    await time(() => compile(repo, ['--previous', 'bundle'])),
    await time(() => compile(repo, ['--previous', 'bundle'])),
  );
  report('2,000 units, 20 commits: cold compile', `${cold.toFixed(0)} ms`, '');
  report(
    '  unchanged, with --previous',
    `${warm.toFixed(0)} ms = ${((100 * warm) / cold).toFixed(1)} %`,
    '≤ 10 % or ≤ 1 s',
  );
  expect(warm <= 1000 || warm <= cold / 10).toBe(true);
});

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
