import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { usualPlace, worktreePlace } from '../../support/snapshots.ts';

const { at, changed, refused, snapshot, repo, base, write, pointer } = usualPlace();

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
    write('film.bin', pointer.replace('size 8', 'size 9 '));
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
