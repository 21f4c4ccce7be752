import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mayTrack } from '../../../compiler/io/git/index-mentions.ts';
import { tempFolder } from '../../support/folder.ts';
import { repository, type Repository } from '../../support/repository.ts';

function withFile(path: string): Repository {
  const repo = repository();
  repo.write(path, 'x\n');
  repo.git('add', '--force', path);
  return repo;
}
const mayTrackIn = (repo: Repository, folder = '.') => mayTrack(join(repo.path, folder), '.vade');

describe('Whether git may track the private folder', () => {
  test('is known without a process of git where no path of the index has its name', () => {
    expect(mayTrackIn(withFile('src/vade.ts'))).toBe(false);
    expect(mayTrackIn(repository())).toBe(false);
    expect(mayTrack(tempFolder(), '.vade')).toBe(false);
  });

  test.each(['.vade/dev-trust.json', '.VADE/dev-trust.json', 'below/.vade/x', '.vade'])('%s is found', (path) => {
    expect(mayTrackIn(withFile(path))).toBe(true);
  });

  test('is asked of the repository around a folder, and of a worktree’s own index', () => {
    const repo = withFile('.vade/x');
    repo.write('deep/folder/x', '');
    expect(mayTrackIn(repo, 'deep/folder')).toBe(true);
    repo.commit('all');
    repo.git('worktree', 'add', '--quiet', '../tree');
    rmSync(join(repo.path, '.git/index'));
    expect(mayTrack(join(repo.path, '../tree'), '.vade')).toBe(true);
    repo.git('worktree', 'remove', '../tree');
  });

  test('is left to git for a link, and for a repository of its own', () => {
    const repo = repository();
    symlinkSync(tempFolder(), join(repo.path, '.vade'));
    expect(mayTrackIn(repo)).toBe(true);
    rmSync(join(repo.path, '.vade'));
    repo.write('.vade/.git/HEAD', '');
    expect(mayTrackIn(repo)).toBe(true);
  });

  test.each([
    ['shortens its paths', (repo: Repository) => repo.git('update-index', '--index-version', '4')],
    ['has a part in another file', (repo: Repository) => repo.git('update-index', '--split-index')],
    [
      'is damaged',
      (repo: Repository) => {
        writeFileSync(join(repo.path, '.git/index'), 'DIRC');
      },
    ],
  ])('is left to git for an index that %s', (_what, change) => {
    const repo = withFile('src/a.ts');
    change(repo);
    expect(mayTrackIn(repo)).toBe(true);
  });
});
