import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { openLedger } from '../../../../compiler/tasks/ledger/open-ledger.ts';
import { sha256 } from '../../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../../support/folder.ts';
import { orchestrated, type Orchestrated } from '../../../support/orchestrated.ts';
import { spawnRow } from '../../../support/planned.ts';
import { taskToml } from '../../../support/tasks.ts';

let place: Orchestrated;
beforeAll(async () => {
  place = await orchestrated(undefined, ['edit-local']);
  place.task('mend', taskToml('edit-local', 'Mend it.', '[scope]\nfiles-whitelist = ["src/**"]\n'));
  await place.tasks('compose', '--task', 'mend', ...place.trust);
});

const inVade = (...path: string[]) => join(place.repo.path, '.git/vade', ...path);

async function agent(): Promise<{ readonly id: string; readonly worktree: string }> {
  const { data } = (await place.tasks('spawn', '--task', 'mend', ...place.trust)).envelope();
  return { id: String(data['agent_id']), worktree: String(data['worktree']) };
}

const clean = async (...args: string[]) => (await place.tasks('clean', ...args)).envelope();
const rowsOf = async (id: string) =>
  (await place.tasks('log', '--agent', id)).envelope().data['rows'] as { kind: string; details: object }[];

describe('vade task clean', () => {
  test('a worktree without work goes, with its binding and what git keeps of it; a second time there is nothing to do', async () => {
    const { id, worktree } = await agent();
    expect((await clean('--agent', id, '--dry-run')).data).toEqual({ effect: 'would_remove', removed: [id] });
    expect(existsSync(worktree)).toBe(true);
    expect((await clean('--agent', id)).data).toEqual({ effect: 'removed', removed: [id] });
    expect(existsSync(worktree)).toBe(false);
    expect(existsSync(inVade('bindings', `${sha256(worktree)}.json`))).toBe(false);
    expect(existsSync(join(place.repo.path, '.git/worktrees', id))).toBe(false);
    expect((await rowsOf(id)).map((it) => it.kind)).toEqual(['clean', 'spawn']);
    expect((await clean('--all')).data['effect']).toBe('noop');
  });

  test('work that main does not have is kept, until it is merged', async () => {
    const { id, worktree } = await agent();
    mkdirSync(join(worktree, 'src'));
    writeFileSync(join(worktree, 'src/new.ts'), 'new\n');
    const { error } = await clean('--all');
    expect(error).toMatchObject({ code: 'WORK_UNMERGED', context: { kept: [{ agent_id: id }], removed: [] } });
    expect(existsSync(inVade('bindings', `${sha256(worktree)}.json`))).toBe(true);
    place.repo.write('src/new.ts', 'new\n').commit();
    expect((await clean('--all')).data['removed']).toEqual([id]);
  });

  test('unmerged work is discarded only on purpose, and the ledger says so', async () => {
    const { id, worktree } = await agent();
    writeFileSync(join(worktree, 'hidden'), 'work');
    expect((await clean('--agent', id, '--discard')).error.code).toBe('CONFIRMATION_REQUIRED');
    expect((await clean('--agent', id, '--discard', '--yes')).data['removed']).toEqual([id]);
    expect((await rowsOf(id))[0]).toMatchObject({ kind: 'clean', details: { discarded: true } });
  });

  test('an ignore rule of the agent’s own hides no work', async () => {
    const { id, worktree } = await agent();
    writeFileSync(join(worktree, '.gitignore'), '*\n');
    writeFileSync(join(worktree, 'hidden'), 'work');
    expect((await clean('--agent', id)).error.code).toBe('WORK_UNMERGED');
    await clean('--agent', id, '--discard', '--yes');
  });

  test.each([
    [
      'after the binding was removed',
      (worktree: string) => {
        rmSync(inVade('bindings', `${sha256(worktree)}.json`));
      },
    ],
    [
      'after the folder was set aside',
      (worktree: string) => {
        const parent = join(worktree, '..');
        renameSync(worktree, join(parent, `.removing-${worktree.slice(parent.length + 1)}`));
      },
    ],
    [
      'after the folder was removed',
      (worktree: string) => {
        rmSync(worktree, { recursive: true });
      },
    ],
    [
      'after git’s own folder was removed too',
      (worktree: string) => {
        rmSync(worktree, { recursive: true });
        rmSync(join(place.repo.path, '.git/worktrees', worktree.split('/').at(-1) ?? ''), { recursive: true });
      },
    ],
  ])('one that was killed %s is finished', async (_when, kill) => {
    const { id, worktree } = await agent();
    kill(worktree);
    expect((await clean('--all')).data['removed']).toEqual([id]);
    expect(readdirSync(join(worktree, '..'))).toEqual([]);
    expect((await rowsOf(id))[0]?.kind).toBe('clean');
  });

  test('what a spawn that was killed before its row left behind goes too', async () => {
    const { id, worktree } = await agent();
    const admin = join(place.repo.path, '.git/worktrees');
    const orphan = join(worktree, '..', 'never-spawned');
    // the same worktree under a name that the ledger does not have
    renameSync(join(admin, id), join(admin, 'never-spawned'));
    renameSync(worktree, orphan);
    writeFileSync(join(admin, 'never-spawned/gitdir'), `${orphan}/.git\n`);
    writeFileSync(join(orphan, '.git'), `gitdir: ${join(admin, 'never-spawned')}\n`);
    expect((await clean('--all')).data['removed']).toEqual([id, 'never-spawned']);
    expect(existsSync(orphan)).toBe(false);
  });

  test.each([
    [
      'its pointer to git',
      (worktree: string) => {
        rmSync(join(worktree, '.git'));
        mkdirSync(join(worktree, '.git'));
      },
    ],
    [
      'what git keeps of it',
      (worktree: string) => {
        const file = join(place.repo.path, '.git/worktrees', worktree.split('/').at(-1) ?? '', 'gitdir');
        rmSync(file);
        mkdirSync(file);
      },
    ],
  ])('an agent that put a folder in the place of %s keeps no other worktree from being removed', async (_what, put) => {
    const strange = await agent();
    const other = await agent();
    put(strange.worktree);
    const { error } = await clean('--all', '--discard', '--yes');
    expect(error).toMatchObject({
      code: 'WORK_UNMERGED',
      context: { kept: [{ agent_id: strange.id }], removed: [other.id] },
    });
    expect(existsSync(other.worktree)).toBe(false);
    // a person has looked at it
    rmSync(strange.worktree, { recursive: true, force: true });
    rmSync(join(place.repo.path, '.git/worktrees', strange.id), { recursive: true });
    expect((await clean('--all')).data['removed']).toEqual([strange.id]);
  });

  test('a worktree of a person is no agent’s', async () => {
    const own = join(tempFolder(), 'own');
    place.repo.git('worktree', 'add', '--quiet', '--detach', own);
    expect((await clean('--all')).data['removed']).toEqual([]);
    expect(existsSync(own)).toBe(true);
    place.repo.git('worktree', 'remove', own);
  });

  test('a row that nobody sealed removes nothing, whatever folder it names', async () => {
    const victim = join(tempFolder(), 'forged');
    mkdirSync(victim);
    writeFileSync(join(victim, 'kept'), '');
    const ledger = openLedger(inVade('ledger.db'));
    ledger.append(spawnRow('forged', { worktree: victim }), null);
    ledger.close();
    expect((await clean('--all', '--discard', '--yes')).error).toMatchObject({
      code: 'WORK_UNMERGED',
      context: { kept: [{ agent_id: 'forged' }] },
    });
    expect(readFileSync(join(victim, 'kept'), 'utf8')).toBe('');
  });

  test('an agent that nobody spawned is not found', async () => {
    expect((await clean('--agent', 'nobody')).error.code).toBe('AGENT_NOT_FOUND');
  });
});
