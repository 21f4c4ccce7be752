import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../support/folder.ts';
import { usualPlace } from '../../support/snapshots.ts';

const { at, changed, refused, snapshot, repo, worktree, write, open } = usualPlace();
const inTree = (...args: string[]) => execFileSync('git', args, { cwd: worktree, encoding: 'utf8', stdio: 'pipe' });

describe('what an agent does to hide a change', () => {
  test('bits of its own index hide nothing', async () => {
    inTree('update-index', '--assume-unchanged', 'src/a.txt');
    inTree('update-index', '--skip-worktree', 'run.sh');
    write('src/a.txt', 'hidden\n');
    write('run.sh', 'hidden\n');
    expect(await changed()).toEqual(['~run.sh', '~src/a.txt']);
  });

  test('filters, monitors, hooks and attributes are not run', async () => {
    const mark = join(tempFolder(), 'mark');
    const program = join(tempFolder(), 'program');
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`, { mode: 0o755 });
    const keys = ['core.fsmonitor', 'filter.x.clean', 'filter.x.smudge', 'filter.x.process', 'merge.x.driver'];
    for (const key of keys) repo.git('config', key, program);
    repo.git('config', 'core.hooksPath', join(program, '..'));
    repo.git('config', 'core.autocrlf', 'input');
    write('.gitattributes', '* filter=x merge=x text=auto working-tree-encoding=UTF-16 ident\n');
    write('src/a.txt', 'one\r\ntwo\r\n$Id$\n');
    const taken = await snapshot();
    const { git } = await open();
    const stored = taken.changes.find(({ path }) => path === 'src/a.txt')?.after ?? '';
    // the object lies in the folder of another run: its name tells its bytes
    expect((await git.run(['hash-object', '--stdin'], { input: 'one\r\ntwo\r\n$Id$\n' })).toString().trim()).toBe(
      stored,
    );
    expect(existsSync(mark)).toBe(false);
    for (const key of [...keys, 'core.hooksPath', 'core.autocrlf']) repo.git('config', '--unset', key);
  });

  test('its own .git may be replaced, or gone: it is not read', async () => {
    const file = at('.git');
    writeFileSync(file, 'gitdir: /nowhere\n');
    write('src/a.txt', 'A\n');
    expect(await changed()).toEqual(['~src/a.txt']);
    rmSync(file);
    expect(await changed()).toEqual(['~src/a.txt']);
    mkdirSync(join(file, 'hooks'), { recursive: true });
    expect(await changed()).toEqual(['~src/a.txt']);
  });

  test('a repository of its own is refused, with or without commits, in new and in known folders', async () => {
    for (const it of ['sub', 'with/commit', 'src']) {
      mkdirSync(at(it), { recursive: true });
      execFileSync('git', ['init', '--quiet', at(it)]);
    }
    write('sub/x', 'x');
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'x'], {
      cwd: at('with/commit'),
    });
    write('odd/.git', 'no folder at all');
    write('src/new.txt', 'x');
    expect(await refused()).toEqual({
      'sub/': 'nested_repository',
      'with/commit/': 'nested_repository',
      'src/': 'nested_repository',
      'odd/': 'nested_repository',
    });
    expect(await changed()).toEqual(['+src/new.txt']);
  });

  test('a link must stay in the worktree, also through other links', async () => {
    const outside = tempFolder();
    symlinkSync(outside, at('absolute'));
    symlinkSync('../..', at('up'));
    symlinkSync('..', at('src/top'));
    symlinkSync('top/../../x', at('src/through'));
    symlinkSync('.git', at('inner'));
    symlinkSync('deep/b.txt', at('src/fine'));
    expect(await refused()).toEqual({
      absolute: 'link_outside',
      up: 'link_outside',
      'src/through': 'link_outside',
      inner: 'link_outside',
    });
    expect(await changed()).toEqual(['+src/fine', '+src/top']);
  });

  test('pipes and sockets are told and never opened, also where git looks for rules', async () => {
    for (const it of ['pipe', '.gitattributes', 'sub/.gitignore']) {
      mkdirSync(join(at(it), '..'), { recursive: true });
      execFileSync('mkfifo', [at(it)]);
    }
    write('sub/seen', 'x');
    const server = createServer().listen(at('socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    const taken = await snapshot();
    server.close();
    expect(taken.left_out).toEqual(['.gitattributes', 'pipe', 'socket', 'sub/.gitignore']);
    expect(taken.changes.map(({ path }) => path)).toEqual(['sub/seen']);
  });

  test('a device is told and never read', async ({ skip }) => {
    const made = spawnSync('mknod', [at('zero'), 'c', '1', '5']);
    if (made.status !== 0) skip('only root makes devices');
    rmSync(at('src/a.txt'));
    spawnSync('mknod', [at('src/a.txt'), 'c', '1', '5']);
    const taken = await snapshot();
    expect(taken.left_out).toEqual(['src/a.txt', 'zero']);
    expect(taken.changes.map(({ path, after }) => [path, after])).toEqual([['src/a.txt', null]]);
  });

  test('so many pipes that no report could name them are refused', async () => {
    execFileSync(
      'mkfifo',
      Array.from({ length: 1_001 }, (_, n) => at(`pipe-${n}`)),
    );
    expect(await refused()).toEqual({ '.': 'too_many_files' });
  });

  test('a file that is replaced by a pipe counts as gone', async () => {
    rmSync(at('src/a.txt'));
    execFileSync('mkfifo', [at('src/a.txt')]);
    expect(await changed()).toEqual(['-src/a.txt']);
  });

  test('names that no list could match are refused', async () => {
    write('line\nbreak', 'x');
    write('back\\slash', 'x');
    write('.GIT/config', 'x');
    write('right\u202eleft', 'x');
    writeFileSync(Buffer.concat([Buffer.from(`${worktree}/latin`), Buffer.from([0xe9])]), 'x');
    expect(await refused()).toEqual({
      'line\\x0abreak': 'name',
      'back\\slash': 'name',
      '.GIT/config': 'name',
      'right\\xe2\\x80\\xaeleft': 'name',
      'latin\\xe9': 'encoding',
    });
    expect(await changed()).toEqual([]);
    write('naïve 名.txt', 'x');
    expect(await changed()).toEqual(['+naïve 名.txt']);
  });

  test('names that another system takes for .git are refused, in any folder', async () => {
    const names = ['.git.', '.git ', 'git~1', 'GIT~12', '.git::$INDEX', 'a.git :x', '.ｇｉｔ'];
    for (const it of names) write(`in/${it}/x`, 'x');
    expect(await refused()).toEqual(Object.fromEntries(names.map((it) => [`in/${it}/x`, 'name'])));
    for (const it of names) rmSync(at(`in/${it}`), { recursive: true });
    const fine = ['.gitx', '.github', 'git~', 'git~x', 'x.git'];
    for (const it of fine) write(`in/${it}`, 'x');
    expect(await changed()).toEqual(fine.map((it) => `+in/${it}`).sort());
  });

  test('a huge file is refused before it is read', async () => {
    write('huge', '');
    truncateSync(at('huge'), 50 * 2 ** 30);
    expect(await refused()).toEqual({ huge: 'file_size' });
  });

  test('folders that lie too deep are refused', async () => {
    let deep = worktree;
    for (let n = 0; n < 120; n++) deep = join(deep, 'd');
    mkdirSync(deep, { recursive: true });
    expect(Object.values(await refused())).toEqual(['depth']);
  });
});
