import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { inheritedFiles } from '../../../compiler/io/process/inherited-files.ts';
import { tempFolder } from '../../support/folder.ts';

test('files that this program opened are not inherited by its children', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'x'), '');
  const file = openSync(join(folder, 'x'), 'r');
  expect(inheritedFiles()).not.toContain(file);
  closeSync(file);
});

// Node itself closes only those that come before the first gap
test('a folder and a file with which this program was started are not handed to what it runs', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'secret'), 'secret');
  const built = resolve('dist/compiler/io/process/run-process.js');
  const run = { program: 'sh', args: ['-c', 'ls /proc/self/fd/57/; cat /proc/self/fd/58; echo end'], cwd: '/' };
  const code = `const { runProcess } = await import(${JSON.stringify(built)});
    const { readdirSync } = await import('node:fs');
    const run = { ...${JSON.stringify(run)}, env: process.env, seconds: 20 };
    console.log(readdirSync('/proc/self/fd/57/').join(), String((await runProcess(run)).stdout));`;
  const files = [folder, join(folder, 'secret')].map((it) => openSync(it, 'r'));
  const others = Array.from({ length: 54 }, () => 'ignore' as const);
  const stdio = ['ignore', 'pipe', 'inherit', ...others, ...files] as const;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    stdio: [...stdio],
  });
  for (const it of files) closeSync(it);
  expect(stdout.trim()).toBe('secret end');
});
