import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, linkSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clearRights } from '../../../compiler/tasks/worktree/clear-rights.ts';
import { tempFolder } from '../../support/folder.ts';

const SETCAP = ['/usr/sbin/setcap', '/sbin/setcap'].find((it) => existsSync(it));

function place() {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  const write = (name: string, mode: number) => {
    writeFileSync(at(name), 'x');
    chmodSync(at(name), mode);
  };
  for (const it of ['tree/a/b', 'outside']) mkdirSync(at(it), { recursive: true });
  return { at, write, modes: (...names: string[]) => names.map((it) => (lstatSync(at(it)).mode & 0o7777).toString(8)) };
}

test('setuid and setgid are taken off every file, also one that its group may not run, and are named', () => {
  const { at, write, modes } = place();
  write('tree/a/b/root', 0o4755);
  write('tree/group', 0o2755);
  write('tree/both', 0o6711);
  write('tree/locked', 0o2644);
  write('tree/plain', 0o644);
  expect(clearRights(at('tree'))).toEqual({ privileged: ['a/b/root', 'both', 'group', 'locked'], isWhole: true });
  expect(modes('tree/a/b/root', 'tree/group', 'tree/both', 'tree/locked', 'tree/plain')).toEqual([
    ...['755', '755', '711', '644', '644'],
  ]);
  expect(clearRights(at('tree')).privileged).toEqual([]);
});

test('a file with all its names in the folder is cleared; one with a name elsewhere, and what a link leads to, is not', () => {
  const { at, write, modes } = place();
  write('tree/own', 0o4755);
  linkSync(at('tree/own'), at('tree/a/own'));
  write('outside/sudo', 0o4755);
  linkSync(at('outside/sudo'), at('tree/sudo'));
  write('outside/su', 0o4755);
  symlinkSync(at('outside/su'), at('tree/su'));
  symlinkSync(at('outside'), at('tree/folder'));
  expect(clearRights(at('tree')).privileged).toEqual(['a/own', 'own', 'sudo']);
  expect(modes('tree/own', 'outside/sudo', 'outside/su')).toEqual(['755', '4755', '4755']);
});

test.skipIf(SETCAP === undefined || process.getuid?.() !== 0)(
  'capabilities are taken off a file, also one whose name has a line end, and are named',
  () => {
    const { at, write } = place();
    for (const it of ['tree/a/tool', 'tree/a\nb', 'tree/plain']) write(it, 0o755);
    for (const it of ['tree/a/tool', 'tree/a\nb']) execFileSync(SETCAP ?? '', ['cap_sys_admin+ep', at(it)]);
    expect(clearRights(at('tree')).privileged).toEqual(['a/tool', 'a\\x0ab']);
    expect(execFileSync((SETCAP ?? '').replace('setcap', 'getcap'), ['-r', at('tree')], { encoding: 'utf8' })).toBe('');
  },
);

test('a folder that is not there has no such files', () => {
  expect(clearRights('/nonexistent')).toEqual({ privileged: [], isWhole: true });
});
