import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { searchDisk, topsBesideSystem } from '../../../compiler/io/sandbox/search-disk.ts';
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
