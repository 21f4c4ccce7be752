import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atExit } from '../../../compiler/io/process/at-exit.ts';
import { runProcess } from '../../../compiler/io/process/run-process.ts';
import { runFolder } from '../../../compiler/tasks/worktree/run-folder.ts';
import { tempFolder } from '../../support/folder.ts';

const MODULE = new URL('../../../dist/compiler/io/process/at-exit.js', import.meta.url).href;
const listeners = () => process.listenerCount('exit');

test('however many runs and commands one process has at once, they share one listener', async () => {
  const base = tempFolder();
  // other tests of this process may have something to do at its exit
  const done = atExit(() => undefined);
  const before = listeners();
  const runs = Array.from({ length: 12 }, () => runFolder(base));
  const all = runs.map(({ path: cwd }, at) =>
    runProcess({ program: process.execPath, args: ['-e', ''], cwd, env: {}, seconds: 60, mark: `at-exit-${at}` }),
  );
  expect(listeners()).toBe(before);
  expect((await Promise.all(all)).map(({ end }) => end)).toEqual(all.map(() => 'exit'));
  for (const it of runs) it.remove();
  expect([listeners(), readdirSync(base)]).toEqual([before, []]);
  done();
});

test('the listener goes with the last of what is to be done, and what was done before the exit is not done again', () => {
  const program = `import { atExit } from '${MODULE}';
const before = process.listenerCount('exit');
const count = () => process.listenerCount('exit') - before;
const counts = [count()];
const [one, other] = [atExit(() => console.log('again')), atExit(() => console.log('again'))];
for (const done of [() => undefined, one, one, other]) {
  done();
  counts.push(count());
}
console.log(counts.join());`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(stdout.trim()).toBe('0,1,1,1,0');
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
