import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { describeWhere } from './support/loudly.ts';

const runs = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
const isPossible =
  runs('bwrap', '--dev-bind', '/', '/', 'true') && runs('npm', 'ping', '--fetch-retries=0', '--fetch-timeout=10000');

describeWhere(
  isPossible,
  'an installation without compilers',
  'bubblewrap and a registry of npm are needed',
)('where no compiler, make or Python can be run', () => {
  test('the packed file is installed, and a handbook is checked, compiled for development and recalled', () => {
    const { status, stdout, stderr } = spawnSync('bash', ['test/install-without-compilers.sh'], { encoding: 'utf8' });
    expect(status, stderr + stdout).toBe(0);
    const answers = stdout.split('\n').filter((line) => line.startsWith('{'));
    const told = answers.map((line) => JSON.parse(line) as { meta: { command: string; exit_code: number } });
    expect(told.map(({ meta }) => [meta.command, meta.exit_code])).toEqual([
      ['init', 0],
      ['lint', 0],
      ['compile', 0],
      ['recall', 0],
    ]);
    expect(answers.at(-1)).toContain('"name":"wrap-up"');
  });
});
