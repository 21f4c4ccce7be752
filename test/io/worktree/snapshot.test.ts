import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../support/folder.ts';
import { worktreePlace } from '../../support/snapshots.ts';

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256('the film')}\nsize 8\n`;

const place = worktreePlace(
  {
    'src/a.txt': 'a\n',
    'src/deep/b.txt': 'b\nb\n',
    'run.sh': 'exit 0\n',
    '.gitignore': 'build/\n*.log\n!keep.log\n',
    'docs/.gitignore': '/draft*\n',
    'docs/guide.md': 'guide\n',
    'film.bin': POINTER,
    'empty.txt': '',
  },
  (repo) => {
    symlinkSync('src/a.txt', join(repo.path, 'link'));
  },
);
const { worktree, at, changed, refused, snapshot, repo, base } = place;
const write = (path: string, text: string | Buffer) => {
  mkdirSync(join(at(path), '..'), { recursive: true });
  writeFileSync(at(path), text);
};
const inTree = (...args: string[]) => execFileSync('git', args, { cwd: worktree, encoding: 'utf8', stdio: 'pipe' });

afterEach(() => {
  // what the repository's own git thinks of the worktree is not asked: the files are put back by hand
  rmSync(worktree, { recursive: true, force: true });
  mkdirSync(worktree);
  repo.git('--work-tree', worktree, 'checkout', '--force', base, '--', '.');
});
afterAll(() => {
  rmSync(worktree, { recursive: true, force: true });
});

describe('a snapshot of a worktree (agent substrate, Verify execution)', () => {
  test('an untouched worktree is the tree of its base', async () => {
    const taken = await snapshot();
    expect(taken.tree).toBe(repo.git('rev-parse', `${base}^{tree}`).trim());
    expect([taken.changes, taken.refusals, taken.left_out]).toEqual([[], [], []]);
  });

  test('changed, new, untracked, deleted, moved, executable and linked files are in it, hidden ones too', async () => {
    write('src/a.txt', 'A\n');
    write('.hidden/x', 'x');
    write('new file', 'n');
    rmSync(at('empty.txt'));
    renameSync(at('src/deep/b.txt'), at('src/c.txt'));
    chmodSync(at('run.sh'), 0o755);
    rmSync(at('link'));
    symlinkSync('src/c.txt', at('link'));
    const expected = ['+.hidden/x', '-empty.txt', '~link', '+new file', '~run.sh', '~src/a.txt', '+src/c.txt'];
    expect(await changed()).toEqual([...expected, '-src/deep/b.txt']);
  });

  test('the same files give the same commit', async () => {
    write('src/a.txt', 'A\n');
    const [one, other] = [await snapshot(), await snapshot()];
    expect(one).toEqual(other);
    expect(one.commit).not.toBe(base);
  });

  test('a file that becomes a folder, and a folder that becomes a file', async () => {
    rmSync(at('run.sh'));
    write('run.sh/inner', 'x');
    rmSync(at('src/deep'), { recursive: true });
    write('src/deep', 'flat');
    expect(await changed()).toEqual(['-run.sh', '+run.sh/inner', '+src/deep', '-src/deep/b.txt']);
  });

  test('only the rules of the base hide files: what it ignores stays out, what is newly hidden does not', async () => {
    write('build/out.js', 'x');
    write('x.log', 'x');
    write('keep.log', 'x');
    write('docs/draft.md', 'x');
    write('docs/deep/draft.md', 'x');
    write('sub/.gitignore', '*\n');
    write('sub/secret', 'x');
    appendFileSync(at('.gitignore'), 'hidden*\n');
    write('hidden.txt', 'x');
    appendFileSync(join(repo.path, '.git/info/exclude'), 'excluded\n');
    write('excluded', 'x');
    const expected = ['~.gitignore', '+docs/deep/draft.md', '+excluded', '+hidden.txt', '+keep.log'];
    expect(await changed()).toEqual([...expected, '+sub/.gitignore', '+sub/secret']);
    rmSync(join(repo.path, '.git/info/exclude'));
  });

  test('an ignored folder that is replaced by a link is seen', async () => {
    write('target', 'x');
    symlinkSync('target', at('build'));
    expect(await changed()).toEqual(['+build', '+target']);
  });
});

describe('what an agent does to hide a change', () => {
  test('bits of its own index hide nothing', async () => {
    inTreeOrSkip();
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
    const { git } = await place.open();
    const stored = taken.changes.find(({ path }) => path === 'src/a.txt')?.after ?? '';
    // the object lies in the folder of another run: its name tells its bytes
    expect((await git.run(['hash-object', '--stdin'], { input: 'one\r\ntwo\r\n$Id$\n' })).toString().trim()).toBe(stored);
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

describe('what another git would have checked out otherwise', () => {
  test('CR LF at the ends of lines is no change; content with them is', async () => {
    write('src/deep/b.txt', 'b\r\nb\r\n');
    expect(await changed()).toEqual([]);
    write('src/deep/b.txt', 'b\r\nc\r\n');
    expect(await changed()).toEqual(['~src/deep/b.txt']);
  });

  test('the content that an LFS pointer names is no change; other content is refused', async () => {
    write('film.bin', 'the film');
    expect(await changed()).toEqual([]);
    write('film.bin', 'another film');
    expect(await refused()).toEqual({ 'film.bin': 'lfs_content' });
    write('film.bin', POINTER.replace('size 8', 'size 9 '));
    expect(await changed()).toEqual(['~film.bin']);
  });

  test('a submodule stays as the commit has it; its folder is not looked into', async () => {
    const inner = worktreePlace({ x: 'x' });
    const outer = worktreePlace({ y: 'y' }, (it) => {
      it.git('update-index', '--add', '--cacheinfo', `160000,${inner.base},vendored`);
      mkdirSync(join(it.path, 'vendored'));
    });
    expect(await outer.changed()).toEqual([]);
    execFileSync('git', ['clone', '--quiet', inner.repo.path, outer.at('vendored')], { stdio: 'pipe' });
    writeFileSync(outer.at('vendored/evil'), 'x');
    expect([await outer.changed(), await outer.refused()]).toEqual([[], {}]);
    rmSync(outer.at('vendored'), { recursive: true });
    expect(await outer.changed()).toEqual(['-vendored']);
  });
});

/** The worktree's own git works again after a test that took its `.git` away. */
function inTreeOrSkip(): void {
  const admin = join(repo.path, '.git/worktrees/tree');
  writeFileSync(at('.git'), `gitdir: ${admin}\n`);
  expect(readFileSync(join(admin, 'HEAD'), 'utf8').trim()).toBe(base);
}
