import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../support/folder.ts';
import { agentsPlace } from '../support/spawned.ts';
import { report, spread } from './measure.ts';

const FILES = 10_000;
const ROUNDS = 5;

/** Milliseconds of CPU that this process and the programs that it starts take. */
async function cpu(work: () => unknown): Promise<number> {
  const before = used();
  await work();
  return used() - before;
}

/** This process's own, and that of its children that have ended: `/proc/self/stat`, in hundredths of a second. */
function used(): number {
  const { stdout } = spawnSync('cat', [`/proc/${process.pid}/stat`], { encoding: 'utf8' });
  const fields = stdout.slice(stdout.lastIndexOf(')') + 2).split(' ');
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * 10;
}

test('judging 10,000 files without checks costs at most a second of CPU above their checkout', async () => {
  const { repo, spawn, verify } = agentsPlace({ 'README.md': 'x\n' });
  for (let folder = 0; folder < 200; folder++) {
    mkdirSync(join(repo.path, `d${folder}/s`), { recursive: true });
    for (let n = 0; n < FILES / 200; n++) {
      const line = `export const x${folder}_${n} = ${folder * n};\n`;
      writeFileSync(join(repo.path, `d${folder}/${n % 2 === 0 ? '' : 's/'}f${n}.ts`), line.repeat(40));
    }
  }
  repo.commit();
  spawn('one', { checks: [] }).write('d1/new.ts', 'new\n');
  const times = { verify: [] as number[], checkout: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    times.verify.push(await cpu(() => verify('one')));
    const folder = tempFolder();
    const env = {
      PATH: process.env['PATH'],
      GIT_DIR: join(repo.path, '.git'),
      GIT_WORK_TREE: folder,
      GIT_INDEX_FILE: join(folder, '.index'),
    };
    times.checkout.push(await cpu(() => execFileSync('git', ['read-tree', '-m', '-u', 'HEAD'], { env })));
  }
  const [verifying, checkout] = [spread(times.verify).median, spread(times.checkout).median];
  report('task verify, 10,000 files, no checks, CPU', `${verifying.toFixed(0)} ms`, '≤ 1000 ms above the checkout');
  report('the same, to a bare checkout', `${(verifying / checkout).toFixed(2)} × ${checkout.toFixed(0)} ms`, '');
  // without a check that runs a program nothing is checked out: all of it is above
  expect(verifying).toBeLessThanOrEqual(1000);
});
