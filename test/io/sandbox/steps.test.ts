import { mkdirSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { stepsFor } from '../../../compiler/io/sandbox/steps.ts';
import { tempFolder } from '../../support/folder.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

test('keys of the user’s own home are hidden where HOME is another folder', () => {
  const root = tempFolder();
  const at = (name: string) => join(root, name);
  for (const it of ['home', 'own/.ssh', 'run/check', 'run/root']) mkdirSync(at(it), { recursive: true });
  writeFileSync(at('own/.npmrc'), 'secret');
  vi.spyOn(os, 'userInfo').mockReturnValue({ ...os.userInfo(), homedir: at('own') });
  syncBuiltinESMExports();

  // the whole folder is shown, as where a repository is the home
  const confinement = { home: at('home'), readable: [root], hidden: [], point: at('run/root'), network: true };
  const steps = stepsFor(confinement, { cwd: at('run/check'), writable: [at('run/check')] }, '/usr/bin');
  expect(steps).toContainEqual({ kind: 'empty', path: at('own/.ssh') });
  expect(steps).toContainEqual({ kind: 'blank', path: at('own/.npmrc') });
});
