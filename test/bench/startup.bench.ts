import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { report, spread, time } from './measure.ts';

const MAIN = fileURLToPath(new URL('../../dist/compiler/cli/main.js', import.meta.url));

test('the command line starts almost as fast as Node itself', async () => {
  const calls = { node: ['-e', '0'], version: [MAIN, '--version'], manifest: [MAIN, 'manifest'] };
  const times: Record<string, number[]> = { node: [], version: [], manifest: [] };
  for (let round = 0; round < 25; round++) {
    for (const [name, args] of Object.entries(calls)) {
      times[name]?.push(await time(() => spawnSync(process.execPath, args)));
    }
  }
  const median = (name: string) => spread(times[name]?.slice(3) ?? []).median;
  const ratio = (name: string) => median(name) / median('node');
  report('node -e 0', `${median('node').toFixed(0)} ms`, '');
  report('  vade --version', `${ratio('version').toFixed(2)} ×`, '≤ 2 ×');
  report('  vade manifest', `${ratio('manifest').toFixed(2)} ×`, '≤ 4 ×');
  expect(ratio('version')).toBeLessThanOrEqual(2);
  expect(ratio('manifest')).toBeLessThanOrEqual(4);
});
