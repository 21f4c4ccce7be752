import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { CommandLine } from '../../../../compiler/tasks/checks/command.ts';
import { openBench, passWork, type Bench } from '../../../../compiler/tasks/use-cases/verify/pass-work.ts';
import { worktreePlace } from '../../../support/snapshots.ts';
import { worldIn } from '../../../support/world.ts';

const MOST = 4 * 1024 * 1024;
const FILES = { 'src/a.txt': 'a\n', 'most.txt': 'x'.repeat(MOST), 'more.txt': 'x'.repeat(MOST + 1), 'empty.txt': '' };
const { repo, base, open } = worktreePlace(FILES, (it) => {
  symlinkSync('src/a.txt', join(it.path, 'link'));
});
const tree = (() => {
  repo.write('src/a.txt', 'A\n').write('new.txt', 'new\n').remove('empty.txt');
  return repo.commit();
})();
const world = { ...worldIn(repo.path), env: { PATH: process.env['PATH'], HOME: '/nonexistent' } };

let bench: Bench;
beforeAll(async () => {
  const { git, folder } = await open();
  const given = { git, folder, seconds: 60, avoid: [repo.path], readable: [repo.path], mark: 'a-run-of-the-tests' };
  bench = await openBench(given, { choice: 'none', hidden: [] }, world);
});

function work() {
  const about = { agent_id: 'a-1', task: 'mend', report: 'done', git: { own: [], shared: [] } };
  const changes = [{ path: 'new.txt', before: null, after: 'x', mode: '100644' }];
  return passWork({ pass: 'worktree', from: base, tree, changes }, about, bench, world);
}

const line = (script: string, more: Partial<CommandLine> = {}): CommandLine => ({
  ...{ program: 'sh', args: ['-c', script], folder: '', fetches: false, env: {} },
  ...more,
});

test('a check reads the files of its tree and of the tree before, and what is no file of theirs is none', async () => {
  const { read, readBefore, files, pass, task, changes } = work();
  const text = async (it: Promise<Buffer | null>) => (await it)?.toString('utf8') ?? null;
  expect(await Promise.all(['src/a.txt', 'new.txt', 'empty.txt', 'src'].map((it) => text(read(it))))).toEqual([
    'A\n',
    'new\n',
    null,
    null,
  ]);
  expect(await Promise.all(['src/a.txt', 'new.txt', 'empty.txt'].map((it) => text(readBefore(it))))).toEqual([
    'a\n',
    null,
    '',
  ]);
  expect([...(await files())].sort()).toEqual(['link', 'more.txt', 'most.txt', 'new.txt', 'src/a.txt']);
  expect([pass, task, changes.length]).toEqual(['worktree', 'mend', 1]);
});

test('a link is not read, and neither is a file of more than 4 MiB', async () => {
  const { read } = work();
  expect(await read('link')).toBeNull();
  expect((await read('most.txt'))?.length).toBe(MOST);
  expect(await read('more.txt')).toBeNull();
});

test('the commands of one check share a place with the files of the tree, and those of another do not', async () => {
  const one = work().commands();
  const other = work().commands();
  expect(await one(line('cat src/a.txt; echo left > left.txt'))).toMatchObject({ end: 'exit', code: 0, stdout: 'A\n' });
  expect(await one(line('cat ../left.txt', { folder: 'src' }))).toMatchObject({ code: 0, stdout: 'left\n' });
  expect(await other(line('cat left.txt 2>&1'))).toMatchObject({ end: 'exit', code: 1 });
});

test('a command has a home and a temporary folder of its own, its own variables and the mark of the run', async () => {
  const run = work().commands();
  const ended = await run(
    line('echo "$HOME"; echo "$TMPDIR"; echo "$VADE_RUN"; echo "$OWN"; pwd', { env: { OWN: 'x' } }),
  );
  const [home, temporary, mark, own, cwd] = ended.end === 'exit' ? ended.stdout.split('\n') : [];
  const room = join(String(cwd), '..');
  expect([home, temporary, mark, own]).toEqual([join(room, 'home'), join(room, 'tmp'), 'a-run-of-the-tests', 'x']);
  expect(readdirSync(room).sort()).toEqual(['files', 'home', 'tmp']);
});

test('a program that is not there is told as one that was not started', async () => {
  expect(await work().commands()(line('', { program: 'no-such-program-at-all' }))).toMatchObject({
    end: 'not_started',
  });
});

test('a bench without a sandbox wraps nothing, and has a place for each command', () => {
  expect([bench.sandbox.name, bench.sandbox.wrap(['a'], { cwd: '/', writable: [] })]).toEqual(['none', ['a']]);
  expect(readdirSync(bench.folder)).toContain('root');
});
