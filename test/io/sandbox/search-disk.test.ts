import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs, { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import {
  boundSockets,
  pathsIn,
  privateSettings,
  searchDisk,
  topsBesideSystem,
} from '../../../compiler/io/sandbox/search-disk.ts';
import { tempFolder } from '../../support/folder.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const root = () => {
  const folder = tempFolder();
  return { folder, at: (name: string) => join(folder, name) };
};

/** A socket that was renamed after it was bound, and a pipe. */
async function special(socket: string, pipe: string): Promise<void> {
  const server = createServer().listen(`${socket}.1`);
  await once(server, 'listening');
  renameSync(`${socket}.1`, socket);
  server.unref();
  execFileSync('mkfifo', [pipe]);
}

test('sockets and pipes are found by what they are, in a repository and in tools, and not through links', async () => {
  const { folder, at } = root();
  for (const it of ['repo/a/b', 'tools', 'other', 'repo/hidden']) mkdirSync(at(it), { recursive: true });
  await special(at('repo/a/b/x.sock'), at('tools/p'));
  await special(at('repo/hidden/x.sock'), at('other/p'));
  symlinkSync(at('other'), at('repo/link'));
  const search = searchDisk({ readable: [at('repo')], tools: [at('tools')] }, [at('repo/hidden')], []);
  expect([search.found, search.unsearched]).toEqual([[at('repo/a/b/x.sock'), at('tools/p')], []]);
  expect(searchDisk({ readable: [], tools: [] }, [], [folder]).found.length).toBe(4);
});

test('a folder of the system that everybody writes is hidden, and one of the repository is searched', async () => {
  const { at } = root();
  for (const it of ['repo/open', 'opt/open']) {
    mkdirSync(at(it), { recursive: true });
    chmodSync(at(it), 0o777);
    await special(at(`${it}/x.sock`), at(`${it}/pipe`));
  }
  const search = searchDisk({ readable: [at('repo')], tools: [] }, [], [at('opt')]);
  expect([...search.found].sort()).toEqual(['opt/open', 'repo/open/pipe', 'repo/open/x.sock'].map(at).sort());
});

test('what a second does not suffice for is told by the folder in which it lies', () => {
  const { at } = root();
  mkdirSync(at('repo'));
  mkdirSync(at('tools'));
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 400));
  const { unsearched } = searchDisk({ readable: [at('repo')], tools: [at('tools')] }, [], ['/opt']);
  expect(unsearched).toEqual(['/opt', at('tools')].sort());
});

test('homes, mounts and folders of work are no part of the system', () => {
  const tops = topsBesideSystem();
  expect(tops).toContain('/home');
  for (const it of ['/usr', '/etc', '/proc', '/var']) expect(tops).not.toContain(it);
});

const HEAD = 'Num       RefCount Protocol Flags    Type St Inode Path\n';
const line = (path: string) => `0000000000000000: 00000002 00000000 00010000 0001 01 43424${path}\n`;

test('of the sockets that the kernel lists those with an absolute path are taken, also one with spaces', () => {
  const listed = [' /var/lib/x/y.sock', ' /srv/a b.sock', ' @/tmp/.X11-unix/X0', ' relative.sock', ''].map(line);
  expect(pathsIn(HEAD + listed.join(''))).toEqual(['/var/lib/x/y.sock', '/srv/a b.sock']);
});

test('a socket that a program has bound is found while it exists', async () => {
  const path = join(tempFolder(), 'x.sock');
  const server = createServer().listen(path);
  await once(server, 'listening');
  expect(boundSockets()).toContain(path);
  server.close();
  await once(server, 'close');
  expect(boundSockets()).not.toContain(path);
});

test('a socket in a folder that another account has closed is left out, and stops no sandbox', async () => {
  const server = createServer().listen(join(tempFolder(), 'x.sock'));
  await once(server, 'listening');
  vi.spyOn(fs, 'lstatSync').mockImplementation(() => {
    throw Object.assign(new Error('closed'), { code: 'EACCES' });
  });
  syncBuiltinESMExports();
  expect(boundSockets()).toEqual([]);
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  server.close();
});

test('of the system’s settings those are private that not everybody may read', () => {
  const folder = tempFolder();
  const at = (name: string) => join(folder, name);
  for (const it of ['ssh', 'ssl/certs/deep']) mkdirSync(at(it), { recursive: true });
  mkdirSync(at('ssl/private'), { mode: 0o710 });
  for (const it of ['shadow', 'ssh/host_key', 'ssl/certs/x', 'ssl/private/key']) {
    writeFileSync(at(it), '', { mode: 0o640 });
  }
  for (const it of ['passwd', 'ssh/host_key.pub']) writeFileSync(at(it), '', { mode: 0o644 });
  symlinkSync(at('shadow'), at('link'));
  // files that lie deeper are not read
  expect(privateSettings(folder).sort()).toEqual(['shadow', 'ssh/host_key', 'ssl/private'].map(at).sort());
  expect(privateSettings(at('none'))).toEqual([]);
});
