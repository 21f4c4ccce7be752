import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atExit } from '../../../compiler/io/process/at-exit.ts';
import { runProcess } from '../../../compiler/io/process/run-process.ts';
import { runFolder } from '../../../compiler/io/worktree/run-folder.ts';
import { tempFolder } from '../../support/folder.ts';

const MODULE = new URL('../../../dist/compiler/io/process/at-exit.js', import.meta.url).href;
const listeners = () => process.listenerCount('exit');

test('however many runs and commands one process has at once, they share one listener, which goes with the last', async () => {
  const base = tempFolder();
  const before = listeners();
  const runs = Array.from({ length: 12 }, () => runFolder(base));
  const all = runs.map(({ path: cwd }, at) =>
    runProcess({ program: process.execPath, args: ['-e', ''], cwd, env: {}, seconds: 60, mark: `at-exit-${at}` }),
  );
  expect(listeners()).toBe(before + 1);
  expect((await Promise.all(all)).map(({ end }) => end)).toEqual(all.map(() => 'exit'));
  for (const it of runs) it.remove();
  expect(listeners()).toBe(before);
  expect(readdirSync(base)).toEqual([]);
});

test('what was done before the exit is not done again', () => {
  const before = listeners();
  const [one, other] = [atExit(() => undefined), atExit(() => undefined)];
  one();
  expect(listeners()).toBe(before + 1);
  one();
  other();
  expect(listeners()).toBe(before);
});

test('at an exit what began last ends first, and what fails keeps nothing else from its turn', () => {
  const told = join(tempFolder(), 'told');
  const program = `import { appendFileSync } from 'node:fs';
import { atExit } from '${MODULE}';
const tell = (it) => () => appendFileSync('${told}', it);
atExit(tell('folder'));
atExit(() => { throw new Error('full'); });
atExit(tell('done'))();
atExit(tell('command '));
process.exit(3);`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', program]);
  expect([status, readFileSync(told, 'utf8')]).toEqual([3, 'command folder']);
});
