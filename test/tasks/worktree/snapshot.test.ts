import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeSnapshot } from '../../../compiler/tasks/worktree/snapshot.ts';
import { blobId } from '../../../compiler/trust/canonical.ts';
import { usualPlace, worktreePlace } from '../../support/snapshots.ts';

const { at, changed, refused, snapshot, repo, base, worktree, open, write, pointer } = usualPlace();

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

  test('its commit stands on the base, and says by whom, when and what for', async () => {
    write('src/a.txt', 'A\n');
    const { git, folder } = await open();
    const { commit, tree } = await takeSnapshot(git, { worktree, base, folder, title: 'the title', at: 1_760_000_007 });
    const person = 'Vademecum <vademecum@localhost> 1760000007 +0000';
    expect(await git.text(['cat-file', 'commit', commit])).toBe(
      `tree ${tree}\nparent ${base}\nauthor ${person}\ncommitter ${person}\n\nthe title\n`,
    );
  });

  test('everything that is told stands in the order of the paths', async () => {
    for (const it of ['z', 'm', 'a']) {
      write(`${it}/one.txt`, it);
      write(`${it}\\bad`, 'x');
      linkSync(at(`${it}/one.txt`), at(`${it}/two.txt`));
      execFileSync('mkfifo', [at(`${it}/pipe`)]);
    }
    write('b/.git/HEAD', 'x');
    const { changes, refusals, left_out, second_names } = await snapshot();
    const files = ['a', 'm', 'z'].flatMap((it) => [`${it}/one.txt`, `${it}/two.txt`]);
    expect(changes.map((it) => it.path)).toEqual(files);
    expect(second_names).toEqual(files);
    expect(left_out).toEqual(['a/pipe', 'm/pipe', 'z/pipe']);
    expect(refusals.map((it) => it.path)).toEqual(['a\\bad', 'b/', 'm\\bad', 'z\\bad']);
  });

  test('a change tells the ids of both files and the mode of the new one', async () => {
    write('src/a.txt', 'A\n');
    chmodSync(at('src/a.txt'), 0o755);
    rmSync(at('empty.txt'));
    const id = (text: string) => blobId(Buffer.from(text), 'sha1');
    expect((await snapshot()).changes).toEqual([
      { path: 'empty.txt', before: id(''), after: null, mode: null },
      { path: 'src/a.txt', before: id('a\n'), after: id('A\n'), mode: '100755' },
    ]);
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

  test('a file with CR LF whose mode changed is another one', async () => {
    write('src/deep/b.txt', 'b\r\nb\r\n');
    chmodSync(at('src/deep/b.txt'), 0o755);
    expect(await changed()).toEqual(['~src/deep/b.txt']);
  });

  test('a text that is no pointer, or too long for one, stands for no other content', async () => {
    const long = `${pointer}${'x'.repeat(1024 - pointer.length)}`;
    const files = { 'text.bin': 'oid sha256:x\n', 'most.bin': long, 'more.bin': `${long}x` };
    const place = worktreePlace(files);
    for (const it of Object.keys(files)) writeFileSync(place.at(it), 'the film');
    expect(await place.changed()).toEqual(['~more.bin', '~text.bin']);
    for (const it of Object.keys(files)) writeFileSync(place.at(it), 'another film');
    expect(await place.refused()).toEqual({ 'most.bin': 'lfs_content' });
  });

  test('a large file is compared in pieces: it is as it was, or it changed at its end', async () => {
    const size = 4 * 1024 * 1024 + 3;
    const place = worktreePlace({ 'large.bin': `${'x'.repeat(size - 1)}y`, 'other.bin': 'x' });
    expect(await place.changed()).toEqual([]);
    writeFileSync(place.at('large.bin'), 'x'.repeat(size));
    writeFileSync(place.at('other.bin'), 'x'.repeat(size));
    const { changes } = await place.snapshot();
    const id = blobId(Buffer.from('x'.repeat(size)), 'sha1');
    expect(changes.map((it) => [it.path, it.after])).toEqual([
      ['large.bin', id],
      ['other.bin', id],
    ]);
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
