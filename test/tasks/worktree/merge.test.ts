import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changedFiles, checkOut, mergeCommits } from '../../../compiler/tasks/worktree/merge.ts';
import { takeSnapshot } from '../../../compiler/tasks/worktree/snapshot.ts';
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
