import { execFileSync } from 'node:child_process';
import { appendFileSync, chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { GitState } from '../../../compiler/tasks/schema/git-state.ts';
import { gitChanges, newNames } from '../../../compiler/tasks/verify/compare-git-states.ts';
import { adminOf } from '../../../compiler/tasks/verify/explained.ts';
import { readGitState } from '../../../compiler/tasks/worktree/read-git-state.ts';
import { tempFolder } from '../../support/folder.ts';
import { worktreePlace } from '../../support/snapshots.ts';

const { repo, base, worktree, at } = worktreePlace({ 'a.txt': 'a\n' });
const common = join(repo.path, '.git');
const backup = join(tempFolder(), 'backup');
let before: GitState;

beforeAll(() => {
  execFileSync('cp', ['-a', common, backup]);
  before = readGitState(common);
});
afterEach(() => {
  execFileSync('sh', ['-c', 'find "$1" -mindepth 1 -delete; cp -a "$2/." "$1"', 'sh', common, backup]);
  writeFileSync(at('.git'), `gitdir: ${join(common, 'worktrees/tree')}\n`);
});

/** The paths that some work changes in the state. */
const changes = (work: () => unknown): string[] => {
  work();
  return gitChanges(before, readGitState(common)).map(({ path }) => path);
};
const inTree = (...args: string[]) => execFileSync('git', args, { cwd: worktree, encoding: 'utf8', stdio: 'pipe' });
const AS = ['-c', 'user.name=a', '-c', 'user.email=a@b'];

describe('the state of a repository, before and after an agent', () => {
  test('reading it twice gives the same, and looking at files changes nothing', () => {
    writeFileSync(at('a.txt'), 'changed\n');
    expect(changes(() => inTree('status'))).toEqual([]);
    expect(changes(() => inTree('add', 'a.txt'))).toEqual([]);
    expect(adminOf(before, worktree)).toBe('worktrees/tree');
  });

  test('the entries stand in the order of their paths, and a folder that holds folders of git is none itself', () => {
    mkdirSync(join(common, 'modules'));
    writeIn('zz', 'x');
    const paths = Object.keys(readGitState(common).entries);
    expect([paths.includes('zz'), paths]).toEqual([true, [...paths].sort()]);
    expect(paths.filter((it) => ['modules', 'worktrees'].includes(it))).toEqual([]);
  });

  test('the files with which seals are verified are part of it, and other notes of Vademecum are not', () => {
    mkdirSync(join(common, 'vade'), { recursive: true });
    for (const name of ['orchestrator.pem', 'trust-root.json', 'ledger.jsonl']) writeIn(`vade/${name}`, 'x');
    expect(changes(() => undefined)).toEqual(['vade/orchestrator.pem', 'vade/trust-root.json']);
  });

  test.each<[string, () => unknown, string[]]>([
    ['a commit', () => inTree(...AS, 'commit', '-q', '--allow-empty', '-m', 'x'), ['worktrees/tree/HEAD']],
    ['a branch', () => inTree('branch', 'other'), ['refs/heads/other']],
    ['a tag', () => inTree('tag', 'v1'), ['refs/tags/v1']],
    ['a stash', () => (appendFileSync(at('a.txt'), 'x'), inTree(...AS, 'stash', '-q')), ['refs/stash']],
    ['a switch', () => inTree('checkout', '-q', '-b', 'own'), ['refs/heads/own', 'worktrees/tree/HEAD']],
    ['main', () => inTree('update-ref', 'refs/heads/main', newCommit(), base), ['refs/heads/main']],
    ['a setting', () => inTree('config', 'core.fsmonitor', 'evil'), ['config']],
    [
      'a hook',
      () => {
        writeHook('pre-commit');
      },
      ['hooks/pre-commit'],
    ],
    [
      'an exclude',
      () => {
        writeIn('info/exclude', '*\n');
      },
      ['info/exclude'],
    ],
    [
      'attributes',
      () => {
        writeIn('info/attributes', '* filter=x\n');
      },
      ['info/attributes'],
    ],
    [
      'grafts',
      () => {
        writeIn('info/grafts', base);
      },
      ['info/grafts'],
    ],
    [
      'alternates',
      () => {
        writeIn('objects/info/alternates', '/elsewhere\n');
      },
      ['objects/info/alternates'],
    ],
    ['a replacement', () => inTree('replace', '-f', base, newCommit()), [`refs/replace/${base}`]],
    [
      'HEAD',
      () => {
        writeIn('HEAD', 'ref: refs/heads/other\n');
      },
      ['HEAD'],
    ],
    [
      'its own .git',
      () => {
        writeFileSync(at('.git'), 'gitdir: /nowhere\n');
      },
      ['worktrees/tree/.git'],
    ],
    [
      'a merge underway',
      () => {
        writeIn('MERGE_HEAD', base);
      },
      ['MERGE_HEAD'],
    ],
    [
      'another orchestrator',
      () => {
        writeIn('vade/orchestrator.pem', 'x');
      },
      ['vade/orchestrator.pem'],
    ],
    [
      'a hook of a submodule',
      () => {
        writeIn('modules/sub/hooks/post-checkout', 'x');
      },
      ['modules/sub/hooks/post-checkout'],
    ],
    [
      'another worktree',
      () => inTree('worktree', 'add', '-q', '--detach', join(tempFolder(), 'other')),
      ['.git', 'HEAD', 'commondir', 'gitdir'].map((it) => `worktrees/other/${it}`),
    ],
  ])('%s is seen', (_, work, paths) => {
    expect(changes(work)).toEqual(paths);
  });

  const SUBMODULES = {
    'one whose name has a slash': 'modules/vendor/lib',
    'one in a submodule': 'modules/lib/modules/inner',
    'one in a submodule whose name begins with that one’s': 'modules/lib/more',
    'one of a linked worktree': 'worktrees/tree/modules/lib',
    'a linked worktree of one': 'modules/lib/worktrees/tree/modules/deep/er',
  };

  test.each(Object.entries(SUBMODULES))('H3: hooks, settings and references of a submodule are seen: %s', (_, path) => {
    const make = (at: string) => {
      writeIn(`${at}/HEAD`, 'ref: refs/heads/main\n');
      writeIn(`${at}/config`, '[core]\n');
      writeIn(`${at}/packed-refs`, `${base} refs/heads/main\n`);
    };
    make('modules/lib');
    make(path);
    const earlier = readGitState(common);
    const paths = ['config', 'hooks/post-checkout', 'info/attributes', 'objects/info/alternates', 'refs/heads/main'];
    for (const it of paths) writeIn(`${path}/${it}`, 'x');
    writeIn(`${path}/objects/pack/pack-1.idx`, 'x');
    writeIn(`${path}/index`, 'x');
    expect(gitChanges(earlier, readGitState(common)).map((it) => it.path)).toEqual(paths.map((it) => `${path}/${it}`));
  });

  test('H3: a link in the place of a submodule is seen, and not followed', () => {
    mkdirSync(join(common, 'modules'));
    const seen = changes(() => {
      symlinkSync(common, join(common, 'modules/sub'));
    });
    expect(seen).toEqual(['modules/sub']);
  });

  test.each(['rr-cache/1/postimage', 'sequencer/todo', 'remotes/origin', 'branches/main', 'commondir'])(
    'H3: what git obeys is seen: %s',
    (path) => {
      const seen = changes(() => {
        writeIn(path, 'x');
      });
      expect(seen).toEqual([path]);
    },
  );

  test('H3: caches are left to git, and a name that nobody knows is told and is no change', () => {
    for (const it of ['objects/info/packs', 'objects/pack/pack-1.pack', 'logs/HEAD', 'ORIG_HEAD', 'lfs/tmp/x']) {
      writeIn(it, 'x');
    }
    writeIn('tool/cache/x', 'x');
    writeIn('note', 'x');
    const after = readGitState(common);
    expect(gitChanges(before, after)).toEqual([]);
    expect(newNames(before, after)).toEqual(['note', 'tool']);
    expect(newNames(after, after)).toEqual([]);
  });

  test('a push leaves its trace in the references of the remote', () => {
    const remote = join(tempFolder(), 'remote.git');
    execFileSync('git', ['clone', '--quiet', '--bare', repo.path, remote], { stdio: 'pipe' });
    repo.git('remote', 'add', 'origin', remote);
    const after = changes(() => inTree('push', '-q', 'origin', 'HEAD:refs/heads/stolen'));
    expect(after).toEqual(['config', 'refs/remotes/origin/stolen']);
  });

  test('packing references changes nothing, and a packed one is seen to move', () => {
    expect(changes(() => repo.git('pack-refs', '--all'))).toEqual([]);
    expect(changes(() => inTree('update-ref', 'refs/heads/main', newCommit(), base))).toEqual(['refs/heads/main']);
  });

  test('a worktree that is moved away is seen', () => {
    const away = join(tempFolder(), 'away');
    const seen = changes(() => {
      renameSync(worktree, away);
    });
    renameSync(away, worktree);
    expect(seen).toEqual(['worktrees/tree/.git']);
  });

  test('links, pipes and changed modes are told, and nothing of them is opened', () => {
    writeHook('pre-push');
    const executable = readGitState(common).entries['hooks/pre-push'];
    chmodSync(join(common, 'hooks/pre-push'), 0o644);
    expect(readGitState(common).entries['hooks/pre-push']).not.toBe(executable);
    execFileSync('mkfifo', [join(common, 'hooks/post-merge')]);
    symlinkSync('/etc/passwd', join(common, 'hooks/update'));
    rmSync(join(common, 'config'));
    symlinkSync('/dev/zero', join(common, 'config'));
    const { entries } = readGitState(common);
    expect([entries['hooks/post-merge'], entries['hooks/update'], entries['config']]).toEqual([
      'special',
      'link /etc/passwd',
      'link /dev/zero',
    ]);
  });
});

function writeIn(path: string, text: string): void {
  mkdirSync(join(common, path, '..'), { recursive: true });
  writeFileSync(join(common, path), text);
}

function writeHook(name: string): void {
  writeIn(`hooks/${name}`, '#!/bin/sh\n');
  chmodSync(join(common, 'hooks', name), 0o755);
}

function newCommit(): string {
  return inTree(...AS, 'commit-tree', `${base}^{tree}`, '-p', base, '-m', 'other').trim();
}
