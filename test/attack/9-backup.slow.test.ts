import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { auditPlace } from '../server/audit/audit-place.ts';
import { killWhen } from '../support/kill-when.ts';

const MAIN = fileURLToPath(new URL('../../dist/compiler/cli/main.js', import.meta.url));

test('a backup that is killed leaves no file under its final name, and the next one succeeds', async () => {
  const { folder, run } = await auditPlace();
  const child = spawn(process.execPath, [MAIN, 'audit', 'backup', '--out', 'copy.db'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const ended = once(child, 'close');
  // the first thing that it makes, whatever it is called
  const before = new Set(readdirSync(folder));
  killWhen(child, () => readdirSync(folder).some((it) => !before.has(it)));
  const [, signal] = (await ended) as [number | null, NodeJS.Signals | null];
  expect([signal, existsSync(join(folder, 'copy.db'))]).toEqual(['SIGKILL', false]);
  expect((await run('backup', '--out', 'copy.db')).code).toBe(0);
  expect(statSync(join(folder, 'copy.db')).mode & 0o777).toBe(0o600);
});

test('a backup does not overwrite a file', async () => {
  const { folder, run } = await auditPlace();
  writeFileSync(join(folder, 'copy.db'), 'mine');
  const ran = await run('backup', '--out', 'copy.db');
  expect([ran.code, ran.envelope().error.code]).toEqual([6, 'ALREADY_EXISTS']);
  expect(statSync(join(folder, 'copy.db')).size).toBe(4);
});
