import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository, type Repository } from '../repository.ts';

const ID = 'f'.repeat(40);
const LONG = `${'a-folder-of-a-long-name/'.repeat(12)}file.md`;

/** Files whose order, modes and sizes are different things to git. */
function varied(repo: Repository): Repository {
  repo
    .write('a.b', 'before the folder a')
    .write('a/b', 'within')
    .write('a0', 'after the folder a')
    .write('empty', '')
    .write('ünïcode 文.md', 'text')
    .write(LONG, 'deep')
    .write('run.sh', '#!/bin/sh\n')
    .write('bytes', Buffer.from([0, 255, 13, 10]));
  chmodSync(join(repo.path, 'run.sh'), 0o755);
  symlinkSync('a/b', join(repo.path, 'link'));
  return repo;
}

/** The same changes and commits; one repository has a setting that says nothing new, so git makes its commits. */
function both(): [plain: Repository, byGit: Repository] {
  const byGit = repository();
  byGit.git('config', 'core.filemode', 'true');
  byGit.git('config', 'core.pager', 'cat');
  return [repository(), byGit];
}

/** Only git itself leaves the message of the last commit in a file. */
const isPlain = (repo: Repository) => !existsSync(join(repo.path, '.git/COMMIT_EDITMSG'));

describe('a commit that no process makes', () => {
  test('has the id of the one that git makes, after each change', () => {
    const ids = both().map((repo) => [
      varied(repo).commit('begin'),
      repo.write('a/b', 'otherwise').remove('a0').commit('change\n\nin two paragraphs'),
      repo.commit('nothing', 1_770_000_000, 'Grace Hopper <grace@example.com>'),
      repo.remove('a').write('a', 'a file now').commit(),
    ]);
    expect(ids[0]).toEqual(ids[1]);
    expect(new Set(ids[0]).size).toBe(4);
  });

  test('leaves objects that git finds sound, and a working tree that it finds clean', () => {
    const repo = varied(repository());
    repo.commit();
    repo.write('a/b', 'otherwise').commit();
    expect(isPlain(repo)).toBe(true);
    expect(repo.git('fsck', '--strict')).toBe('');
    expect(repo.git('diff-files')).toBe('');
    expect(repo.git('status', '--porcelain')).toBe('');
    repo.write('a/b', 'thirdly!!');
    expect(repo.git('status', '--porcelain')).toBe(' M a/b\n');
  });
});

describe('between commits of git', () => {
  test('it is the same: on another branch, after a merge, with an index that git wrote', () => {
    const ids = both().map((repo) => {
      varied(repo).commit();
      repo.git('switch', '--quiet', '--create', 'topic/one');
      repo.write('a/b', 'on a branch').commit('topic');
      repo.git('switch', '--quiet', 'main');
      repo.gitAs('Bob <bob@example.com>', ['merge', '--quiet', '--no-ff', '--no-edit', 'topic/one']);
      return [
        repo.git('rev-parse', 'HEAD').trim(),
        repo.write('more', 'x').commit('last'),
        repo.git('status', '--short'),
      ];
    });
    expect(ids[0]).toEqual(ids[1]);
  });
});

describe('git makes the commit', () => {
  const refused: [string, (repo: Repository) => unknown][] = [
    ['files are ignored', (repo) => repo.write('.gitignore', '*.log\n').write('a.log', '')],
    ['files are ignored in this clone', (repo) => repo.write('.git/info/exclude', 'a.log\n').write('a.log', '')],
    ['files have attributes', (repo) => repo.write('.gitattributes', '* text eol=crlf\n').write('a', 'b\r\n')],
    ['it has other settings', (repo) => repo.git('config', 'user.name', 'Somebody')],
    ['a hook may refuse it', (repo) => repo.write('.git/hooks/pre-commit', '#!/bin/sh\n')],
    ['the index has what it alone knows', (repo) => repo.git('update-index', '--assume-unchanged', 'first')],
    ['the index has a submodule', (repo) => repo.git('update-index', '--add', '--cacheinfo', `160000,${ID},lib`)],
    ['HEAD names a commit', (repo) => repo.git('switch', '--quiet', '--detach')],
    ['it merges', (repo) => repo.write('.git/MERGE_HEAD', repo.git('rev-parse', 'HEAD'))],
  ];

  test.each(refused)('where %s', (_, change) => {
    const repo = repository().write('first', 'text');
    repo.commit();
    expect(isPlain(repo)).toBe(true);
    change(repo);
    repo.commit();
    expect(isPlain(repo)).toBe(false);
  });

  test.each([' a space before', 'a space after ', 'three\n\n\nlines'])('where it tidies the message %j', (message) => {
    const repo = repository();
    repo.commit(message);
    expect(isPlain(repo)).toBe(false);
  });
});
