import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { findRepository } from '../../compiler/io/git/repository.ts';
import { privateGit } from '../../compiler/tasks/worktree/private-git.ts';
import { takeSnapshot } from '../../compiler/tasks/worktree/snapshot.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { tempFolder } from './folder.ts';
import { repository, type Repository } from './repository.ts';

/** A repository with one commit and a linked worktree, and ways to take snapshots of it. */
export function worktreePlace(files: Readonly<Record<string, string>>, before: (repo: Repository) => void = () => {}) {
  const repo = repository();
  for (const [path, text] of Object.entries(files)) repo.write(path, text);
  before(repo);
  const base = repo.commit();
  const worktree = join(tempFolder(), 'tree');
  repo.git('worktree', 'add', '--quiet', '--detach', worktree);
  const at = (path: string) => join(worktree, path);

  /** A private git directory in a folder of its own. */
  const open = async () => {
    const folder = join(tempFolder(), 'run');
    mkdirSync(folder);
    const place = await findRepository(repo.path);
    if (place === null) throw new Error('no repository');
    return { git: await privateGit(place, folder), folder };
  };
  const snapshot = async () => {
    const { git, folder } = await open();
    return takeSnapshot(git, { worktree, base, folder, title: 'fix-login by agent-1', at: 1_760_000_000 });
  };
  /** Changes by path: `+` new, `-` gone, `~` changed. */
  const changed = async () => {
    const { changes } = await snapshot();
    return changes.map(({ path, before: was, after }) => `${was === null ? '+' : after === null ? '-' : '~'}${path}`);
  };
  /** Refusals by path. */
  const refused = async () => Object.fromEntries((await snapshot()).refusals.map((it) => [it.path, it.rule]));
  return { repo, base, worktree, at, open, snapshot, changed, refused };
}

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256('the film')}\nsize 8\n`;

/** A worktree with files of every kind, whose files are put back after each test. */
export function usualPlace() {
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
  const { repo, worktree, base, at } = place;
  afterEach(() => {
    // the worktree's own git is not asked: the files are put back by hand
    rmSync(worktree, { recursive: true, force: true });
    mkdirSync(worktree);
    repo.git('--work-tree', worktree, 'checkout', '--force', base, '--', '.');
    writeFileSync(at('.git'), `gitdir: ${join(repo.path, '.git/worktrees/tree')}\n`);
  });
  const write = (path: string, text: string | Buffer) => {
    mkdirSync(join(at(path), '..'), { recursive: true });
    writeFileSync(at(path), text);
  };
  return { ...place, write, pointer: POINTER };
}
