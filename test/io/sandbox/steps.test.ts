import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { programPlace } from '../../../compiler/io/sandbox/homes.ts';
import { stepsFor, viewOf } from '../../../compiler/io/sandbox/steps.ts';
import { tempFolder } from '../../support/folder.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** A home that `HOME` names, the user’s own, and a folder of a run; all visible unless a step hides them. */
function twoHomes() {
  const root = tempFolder();
  const at = (name: string) => join(root, name);
  for (const it of ['home', 'own', 'run/check', 'run/root']) mkdirSync(at(it), { recursive: true });
  vi.spyOn(os, 'userInfo').mockReturnValue({ ...os.userInfo(), homedir: at('own') });
  syncBuiltinESMExports();
  const write = (path: string) => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), 'secret');
  };
  /** The steps, for a repository that is the whole of `root`, or for none. */
  const stepsWith = (path: readonly string[], readable: readonly string[] = []) => {
    const confinement = { home: at('home'), readable, hidden: [], point: at('run/root'), network: true };
    const place = { cwd: at('run/check'), writable: [at('run/check')] };
    return stepsFor(viewOf(confinement, ['/usr/bin', ...path].join(':')), place);
  };
  return { root, at, write, stepsWith };
}

test('A2: of the user’s own home too nothing but tools is seen where HOME is another folder', () => {
  const { root, at, write, stepsWith } = twoHomes();
  for (const it of ['own/.local/bin/tool', 'home/.local/bin/tool', 'own/notes']) write(it);
  const steps = stepsWith([], [root]);
  for (const it of ['own', 'home']) expect(steps).toContainEqual({ kind: 'empty', path: at(it) });
  const shown = steps.flatMap((it) => (it.kind === 'bind' && !it.isWritable ? [it.path] : []));
  expect(shown.filter((it) => it !== root && it.startsWith(root))).toEqual(
    ['home/.local/bin', 'own/.local/bin'].map(at),
  );
});

test('a home that is in PATH is not shown, and of a folder for one program what may hold keys neither', () => {
  const { root, at, write, stepsWith } = twoHomes();
  for (const it of ['own/.docker/config.json', 'own/.docker/bin/x', 'home/venv/bin/x', 'home/venv/pyvenv.cfg'])
    write(it);
  const steps = stepsWith([root, ...['own', 'home', 'own/.docker/bin', 'home/venv/bin'].map(at)], [root]);
  for (const it of ['own', 'home']) expect(steps).toContainEqual({ kind: 'empty', path: at(it) });
  const shown = steps.flatMap((it) => (it.kind === 'bind' && !it.isWritable ? [it.path] : []));
  expect(shown).toEqual(expect.arrayContaining([at('own/.docker/bin'), at('home/venv')]));
  expect(shown).not.toContain(at('own/.docker'));
});

test('a program in a home is shown without that home, and another with its folder', () => {
  const { root, at } = twoHomes();
  const shown = ['own/agent.sh', 'home/agent.sh', 'agent.sh', 'home/tools/agent.sh'].map((it) =>
    programPlace(at(it), at('home')),
  );
  expect(shown).toEqual([at('own/agent.sh'), at('home/agent.sh'), at('agent.sh'), at('home/tools')]);
  expect(programPlace(join(root, 'run/agent.sh'), at('home'))).toBe(at('run'));
});

test('keys of either home are hidden where a repository is that home', () => {
  const { at, write, stepsWith } = twoHomes();
  for (const it of ['own/.ssh/id', 'own/.npmrc', 'home/.ssh/id']) write(it);
  const steps = stepsWith([], [at('own'), at('home')]);
  for (const it of ['own/.ssh', 'home/.ssh']) expect(steps).toContainEqual({ kind: 'empty', path: at(it) });
  expect(steps).toContainEqual({ kind: 'blank', path: at('own/.npmrc') });
});

test('a hidden file is hidden where a link to it leads', () => {
  const { root, at, write } = twoHomes();
  write('keys/key.pem');
  symlinkSync(at('keys/key.pem'), at('key.pem'));
  const confinement = { home: at('home'), readable: [root], hidden: [at('key.pem')], point: at('run/root') };
  const view = viewOf({ ...confinement, network: true }, '');
  const steps = stepsFor(view, { cwd: at('run/check'), writable: [] });
  expect(steps.filter((it) => it.kind === 'blank' && it.path.startsWith(root))).toEqual([
    { kind: 'blank', path: at('keys/key.pem') },
  ]);
});
