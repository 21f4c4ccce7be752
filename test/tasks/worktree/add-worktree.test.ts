import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRepository } from '../../../compiler/io/git/repository.ts';
import {
  addWorktree,
  baseCommit,
  removeWorktree,
  type WorktreePlace,
} from '../../../compiler/tasks/worktree/add-worktree.ts';
import { tempFolder } from '../../support/folder.ts';
import { repository, type Repository } from '../../support/repository.ts';

async function placeIn(repo: Repository, name = 'agent-1'): Promise<WorktreePlace> {
  const found = await findRepository(repo.path);
  if (found === null) throw new Error('no repository');
  return { repository: found, path: join(tempFolder(), 'trees', name) };
}

const gitIn = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });
const coded = (code: string) => expect.objectContaining({ code }) as unknown;

/** A repository with a file, a link and a program. */
function filled(): Repository {
  const repo = repository().write('src/main.ts', 'one\n').write('run.sh', '#!/bin/sh\n');
  chmodSync(join(repo.path, 'run.sh'), 0o755);
  symlinkSync('src/main.ts', join(repo.path, 'link'));
  repo.commit();
  return repo;
}

describe('the worktree of an agent', () => {
  test('git takes it for one of its own: clean, detached, locked, and with every kind of file', async () => {
    const repo = filled();
    const place = await placeIn(repo);
    await addWorktree(place, await baseCommit(place.repository, 'HEAD'));
    expect(gitIn(place.path, 'status', '--porcelain=v2', '--branch')).toContain('# branch.head (detached)');
    expect(gitIn(place.path, 'status', '--porcelain')).toBe('');
    expect(gitIn(repo.path, 'worktree', 'list', '--porcelain')).toContain('locked an agent of vade works here');
    expect(gitIn(repo.path, 'fsck', '--no-progress')).toBe('');
    expect(readlinkSync(join(place.path, 'link'))).toBe('src/main.ts');
    expect(lstatSync(join(place.path, 'run.sh')).mode & 0o111).not.toBe(0);
  });

  test('no other account enters its folder, and one that serves for other things is refused', async () => {
    const repo = filled();
    const found = (await placeIn(repo)).repository;
    const root = tempFolder();
    const mode = (name: string) => (lstatSync(join(root, name)).mode & 0o777).toString(8);
    const add = async (name: string) =>
      addWorktree({ repository: found, path: join(root, name) }, await baseCommit(found, 'HEAD'));
    for (const it of ['old.worktrees', 'shared']) {
      mkdirSync(join(root, it));
      chmodSync(join(root, it), 0o755);
    }
    for (const it of ['new.worktrees/one', 'old.worktrees/two', 'other/three']) await add(it);
    expect(['new.worktrees', 'old.worktrees', 'other'].map(mode)).toEqual(['700', '700', '700']);
    await expect(add('shared/four')).rejects.toMatchObject({
      code: 'argument_invalid',
      details: { flag: 'worktrees' },
    });
    expect([mode('shared'), readdirSync(join(root, 'shared'))]).toEqual(['755', []]);
  });

  test('no hook and no filter of the repository runs while it is made', async () => {
    const repo = filled();
    const mark = join(tempFolder(), 'ran');
    repo.write('.gitattributes', '* filter=trap\n').commit();
    const program = `touch ${mark}; cat`;
    for (const it of ['clean', 'smudge']) repo.git('config', `filter.trap.${it}`, program);
    repo.git('config', 'core.fsmonitor', `touch ${mark}`);
    mkdirSync(join(repo.path, '.git/hooks'), { recursive: true });
    for (const it of ['post-checkout', 'post-index-change', 'reference-transaction']) {
      writeFileSync(join(repo.path, '.git/hooks', it), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    }
    rmSync(mark, { force: true });
    const place = await placeIn(repo);
    await addWorktree(place, await baseCommit(place.repository, 'HEAD'));
    expect(existsSync(mark)).toBe(false);
    expect(readFileSync(join(place.path, 'src/main.ts'), 'utf8')).toBe('one\n');
    // the trap runs where git itself makes the worktree
    gitIn(repo.path, 'worktree', 'add', '--quiet', '--detach', join(tempFolder(), 'plain'));
    expect(existsSync(mark)).toBe(true);
  });

  test('a folder that is there already is left as it is', async () => {
    const place = await placeIn(filled());
    mkdirSync(place.path, { recursive: true, mode: 0o700 });
    writeFileSync(join(place.path, 'mine'), '');
    const commit = await baseCommit(place.repository, 'HEAD');
    await expect(addWorktree(place, commit)).rejects.toThrow(coded('already_exists'));
    expect(existsSync(join(place.path, 'mine'))).toBe(true);
  });

  test('nothing is made behind a link', async () => {
    const place = await placeIn(filled());
    const root = tempFolder();
    symlinkSync(tempFolder(), join(root, 'trees'));
    const commit = await baseCommit(place.repository, 'HEAD');
    const linked = { ...place, path: join(root, 'trees', 'agent-1') };
    await expect(addWorktree(linked, commit)).rejects.toThrow(coded('output_failed'));
  });

  test('a ref that is none is refused', async () => {
    const place = await placeIn(filled());
    await expect(baseCommit(place.repository, 'nowhere')).rejects.toThrow(coded('ref_not_found'));
  });
});

describe('its removal', () => {
  const made = async () => {
    const repo = filled();
    const place = await placeIn(repo);
    await addWorktree(place, await baseCommit(place.repository, 'HEAD'));
    return { repo, place };
  };

  test('nothing of it is left, and a second time changes nothing', async () => {
    const { repo, place } = await made();
    removeWorktree(place);
    removeWorktree(place);
    expect(existsSync(place.path)).toBe(false);
    expect(gitIn(repo.path, 'worktree', 'list').trim().split('\n')).toHaveLength(1);
  });

  test('one that was killed half way is finished', async () => {
    const { place } = await made();
    renameSync(place.path, join(place.path, '..', '.removing-agent-1'));
    removeWorktree(place);
    expect(existsSync(join(place.path, '..', '.removing-agent-1'))).toBe(false);
  });

  test.each([
    ['locked', 0, []],
    ['locked', 9, []],
    ['gitdir', 0, ['locked', 'commondir']],
    ['gitdir', 9, ['locked', 'commondir']],
  ] as const)(
    'a spawn that was killed while it wrote %s, after %i bytes, leaves nothing',
    async (cut, bytes, before) => {
      const { place } = await made();
      const admin = join(place.repository.common, 'worktrees', 'agent-1');
      const whole = (name: string) => readFileSync(join(admin, name), 'utf8');
      const files = [...before.map((it) => [it, whole(it)] as const), [cut, whole(cut).slice(0, bytes)] as const];
      for (const folder of [place.path, admin]) {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
      }
      for (const [name, text] of files) writeFileSync(join(admin, name), text);
      removeWorktree(place);
      expect([existsSync(place.path), existsSync(admin)]).toEqual([false, false]);
    },
  );

  test.each([
    [
      'a link to another folder',
      (place: WorktreePlace, other: string) => {
        symlinkSync(other, place.path);
      },
    ],
    [
      'another folder',
      (place: WorktreePlace) => {
        mkdirSync(place.path);
        writeFileSync(join(place.path, 'kept'), '');
      },
    ],
    [
      'a worktree of another repository',
      (place: WorktreePlace) => {
        mkdirSync(place.path);
        writeFileSync(join(place.path, '.git'), 'gitdir: /elsewhere/.git/worktrees/agent-1\n');
      },
    ],
  ])('%s in its place is not removed', async (_what, put) => {
    const { place } = await made();
    const other = tempFolder();
    writeFileSync(join(other, 'kept'), '');
    rmSync(place.path, { recursive: true });
    put(place, other);
    expect(() => {
      removeWorktree(place);
    }).toThrow(coded('output_failed'));
    expect(existsSync(join(other, 'kept'))).toBe(true);
    expect(lstatSync(place.path, { throwIfNoEntry: false })).toBeDefined();
  });

  test('a link in it is removed, and not what it points to', async () => {
    const { place } = await made();
    const other = tempFolder();
    writeFileSync(join(other, 'kept'), '');
    symlinkSync(other, join(place.path, 'out'));
    removeWorktree(place);
    expect(existsSync(join(other, 'kept'))).toBe(true);
  });
});
