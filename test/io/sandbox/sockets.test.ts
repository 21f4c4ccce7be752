import { once } from 'node:events';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { boundSockets, pathsIn } from '../../../compiler/io/sandbox/sockets.ts';
import { tempFolder } from '../../support/folder.ts';

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
