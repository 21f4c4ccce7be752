import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedFiles, checkOut, mergeCommits } from '../../../compiler/tasks/worktree/merge.ts';
import { takeSnapshot } from '../../../compiler/tasks/worktree/snapshot.ts';
import { blobId } from '../../../compiler/trust/canonical.ts';
import { worktreePlace } from '../../support/snapshots.ts';

const ATTRIBUTES = '*.txt merge=union text eol=crlf\n';

test('attributes of a tree neither merge nor change a file: conflicts are told, and what is checked out are its bytes', async () => {
  const place = worktreePlace({ '.gitattributes': ATTRIBUTES, 'a.txt': 'one\n', 'b.txt': 'b\n' });
  writeFileSync(place.at('a.txt'), 'agent\n');
  const { git, folder } = await place.open();
  const options = { worktree: place.worktree, base: place.base, folder, title: 'x', at: 1_760_000_000 };
  const { commit, tree } = await takeSnapshot(git, options);
  const merged = await mergeCommits(git, place.base, commit);
  expect(merged).toEqual({ tree });
  expect((await changedFiles(git, place.base, tree)).map(({ path }) => path)).toEqual(['a.txt']);
  for (const name of ['one', 'two']) {
    await checkOut(git, tree, join(folder, name));
    expect(readFileSync(join(folder, name, 'a.txt'), 'utf8')).toBe('agent\n');
  }
  place.repo.write('a.txt', 'main\n');
  const main = place.repo
    .git('-c', 'core.attributesFile=/dev/null', 'hash-object', '-w', '--no-filters', 'a.txt')
    .trim();
  place.repo.git('update-index', '--cacheinfo', `100644,${main},a.txt`);
  place.repo.git('commit', '--quiet', '-m', 'main');
  const head = place.repo.git('rev-parse', 'HEAD').trim();
  expect(await mergeCommits(git, head, commit)).toEqual({ conflicts: ['a.txt'] });
});

test('the files of two trees that differ are told in the order of their paths, a moved one as gone and as new', async () => {
  const place = worktreePlace({ 'z.txt': 'z\n', 'm.txt': 'm\n', 'b.txt': 'b\n' });
  place.repo.remove('m.txt').write('a.txt', 'm\n').write('z.txt', 'Z\n');
  chmodSync(join(place.repo.path, 'b.txt'), 0o755);
  symlinkSync('a.txt', join(place.repo.path, 'n.txt'));
  const next = place.repo.commit();
  const { git } = await place.open();
  const id = (text: string) => blobId(Buffer.from(text), 'sha1');
  expect(await changedFiles(git, place.base, next)).toEqual([
    { path: 'a.txt', before: null, after: id('m\n'), mode: '100644' },
    { path: 'b.txt', before: id('b\n'), after: id('b\n'), mode: '100755' },
    { path: 'm.txt', before: id('m\n'), after: null, mode: null },
    { path: 'n.txt', before: null, after: id('a.txt'), mode: '120000' },
    { path: 'z.txt', before: id('z\n'), after: id('Z\n'), mode: '100644' },
  ]);
  expect(await changedFiles(git, next, next)).toEqual([]);
});

test('files that both sides changed are told once each, in the order of their paths', async () => {
  const place = worktreePlace({ 'z.txt': 'z\n', 'b.txt': 'b\n', 'same.txt': 's\n' });
  const theirs = place.repo.write('z.txt', 'theirs\n').write('b.txt', 'theirs\n').write('a.txt', 'theirs\n').commit();
  place.repo.git('reset', '--quiet', '--hard', place.base);
  const ours = place.repo.write('z.txt', 'ours\n').write('b.txt', 'ours\n').write('a.txt', 'ours\n').commit();
  const { git } = await place.open();
  expect(await mergeCommits(git, ours, theirs)).toEqual({ conflicts: ['a.txt', 'b.txt', 'z.txt'] });
});
