import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { VerifyReport } from '../../../../compiler/tasks/schema/verify-report.ts';
import { judgeable } from '../../../../compiler/tasks/use-cases/verify/verify-agent.ts';
import { tempFolder } from '../../../support/folder.ts';
import { agentsPlace, AT, told } from '../../../support/spawned.ts';

const FILES = { 'src/a.js': 'a\n1\n2\n3\n4\n5\nb\n', 'README.md': 'readme\n', '.gitignore': 'node_modules\n' };
const HOLDS = { verdict: 'holds', proposal: 'merge', failed: [], git: [] };
const AS = ['-c', 'user.name=a', '-c', 'user.email=a@b'];
const runs = () => {
  const base = join(tmpdir(), `vade-verify-${process.getuid?.() ?? 0}`);
  return existsSync(base) ? readdirSync(base) : [];
};

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the work of an agent (agent substrate, Verify execution)', () => {
  test('an agent that obeys holds; its snapshot can be merged as it was judged, and that move of main is explained', async () => {
    // others of this machine have runs at the same time
    vi.stubEnv('TMPDIR', tempFolder());
    const { spawn, verify, repo, keep } = agentsPlace(FILES);
    const [one, other] = [spawn('one'), spawn('other')];
    one.write('src/new.js', 'new\n');
    other.write('src/other.js', 'other\n');
    const report = await verify('one');
    expect(told(report)).toEqual(HOLDS);
    expect(VerifyReport.parse(report)).toEqual(report);
    keep(report);
    repo.git(...AS, 'merge', '--quiet', '--no-ff', '-m', 'merge', report.snapshot.commit);
    expect(repo.git('rev-parse', 'HEAD^{tree}').trim()).toBe(report.merge?.tree);
    const next = await verify('other');
    expect(told(next)).toEqual(HOLDS);
    expect(next.main.commit).not.toBe(report.main.commit);
    expect(runs().filter((it) => it.startsWith('run-'))).toEqual([]);
  });

  test('every violation of the first pass is told, and the second pass is skipped', async () => {
    const { spawn, verify } = agentsPlace(FILES);
    const one = spawn('one');
    one.write('README.md', 'changed\n');
    one.write('package.json', '{}');
    one.write('src/sub/.git/HEAD', 'x');
    const report = await verify('one');
    expect(told(report)).toEqual({
      verdict: 'violations',
      proposal: 'reject_and_respawn',
      failed: ['worktree snapshot', 'worktree scope::files-whitelist', 'worktree safety::no-dep-bump'],
      git: [],
    });
    expect(report.merge).toBe(null);
  });

  test('hidden files are judged like others', async () => {
    const { spawn, verify } = agentsPlace(FILES);
    const one = spawn('one');
    one.write('docs/.gitignore', '*\n');
    one.write('docs/secret', 'x');
    one.write('node_modules/left-alone', 'x');
    execFileSync('git', ['update-index', '--assume-unchanged', 'README.md'], { cwd: one.worktree });
    one.write('README.md', 'changed\n');
    const report = await verify('one');
    expect(report.passes[0]?.findings[0]?.detail).toBe('README.md\ndocs/.gitignore\ndocs/secret');
  });

  test('a conflict with main is a rejection that names the files', async () => {
    const { spawn, verify, repo, append } = agentsPlace(FILES);
    const one = spawn('one');
    one.write('src/a.js', FILES['src/a.js'].replace('a', 'agent'));
    repo.write('src/a.js', FILES['src/a.js'].replace('a', 'main'));
    const before = repo.git('rev-parse', 'HEAD').trim();
    const after = repo.commit();
    const changes = [{ path: 'refs/heads/main', before: `text ${before}`, after: `text ${after}` }];
    append({ format: 1, kind: 'explanation', agent_id: 'one', at: AT, changes, reason: 'my own commit' });
    const report = await verify('one');
    expect(told(report)).toMatchObject({ verdict: 'violations', failed: ['simulated-merge merge'], git: [] });
    expect(report.merge).toEqual({ tree: null, conflicts: ['src/a.js'] });
  });

  test('a git that cannot merge without a working tree is told, with the one that is needed: nothing is judged', async () => {
    const { spawn, verify } = agentsPlace(FILES);
    const [old, real] = [tempFolder(), execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()];
    const script = `#!/bin/sh\nif [ "$1" = version ]; then echo git version 2.37.7; else exec '${real}' "$@"; fi\n`;
    writeFileSync(join(old, 'git'), script, { mode: 0o755 });
    vi.stubEnv('PATH', `${old}:${process.env['PATH'] ?? ''}`);
    try {
      spawn('one').write('src/new.js', 'new\n');
      const judging = judgeable(() => verify('one'));
      await expect(judging).rejects.toMatchObject({
        ...{ code: 'work_unjudged', details: { cause: 'git_unavailable' } },
        message: expect.stringMatching(/2\.37\.7.*2\.38/) as string,
      });
    } finally {
      vi.unstubAllEnvs();
    }
    spawn('later').write('src/new.js', 'new\n');
    expect(told(await verify('later'))).toEqual(HOLDS);
  });

  test('a bypass counts if its role keeps it and the orchestrator wrote it, until it is revoked', async () => {
    const { spawn, verify, append } = agentsPlace(FILES);
    const atom = 'scope::files-whitelist';
    const row = { format: 1, kind: 'bypass', agent_id: 'kept', at: AT, atom, reason: 'agreed' } as const;
    for (const [id, bypasses] of [
      ['kept', [atom]],
      ['other', []],
    ] as const) {
      spawn(id, { bypasses: [...bypasses] }).write('README.md', 'changed\n');
      append({ ...row, agent_id: id });
    }
    expect((await verify('kept')).verdict).toBe('holds');
    expect((await verify('other')).verdict).toBe('violations');
    append({ ...row, kind: 'revocation' });
    append(row, null);
    expect((await verify('kept')).verdict).toBe('violations');
    append({ ...row, kind: 'revocation', atom: null });
    await expect(verify('kept')).rejects.toMatchObject({ code: 'work_unjudged' });
  });
});

describe('.git, before and after an agent', () => {
  test('a change that nobody explains holds every merge and is blamed on nobody', async () => {
    const { spawn, verify, repo, append } = agentsPlace(FILES);
    spawn('innocent').write('src/x.js', 'x');
    spawn('pusher').write('src/y.js', 'y');
    repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    for (const id of ['innocent', 'pusher']) {
      const held = { verdict: 'unjudged', proposal: null, failed: [], git: ['refs/remotes/origin/main'] };
      expect(told(await verify(id))).toEqual(held);
    }
    const changes = [
      { path: 'refs/remotes/origin/main', before: null, after: `text ${repo.git('rev-parse', 'HEAD').trim()}` },
    ];
    const row = { format: 1, kind: 'explanation', agent_id: 'pusher', at: AT, changes, reason: 'I fetched' } as const;
    append(row, null);
    expect((await verify('innocent')).verdict).toBe('unjudged');
    append(row);
    expect(told(await verify('innocent'))).toEqual(HOLDS);
  });

  test('an agent that commits in its own worktree breaks its own rule, and is rolled back', async () => {
    const { spawn, verify } = agentsPlace(FILES);
    const one = spawn('one');
    one.write('src/x.js', 'x');
    execFileSync('git', ['add', '-A'], { cwd: one.worktree });
    execFileSync('git', [...AS, 'commit', '-qm', 'mine'], { cwd: one.worktree });
    const report = await verify('one');
    expect(told(report)).toMatchObject({
      verdict: 'violations',
      proposal: 'reject_and_rollback',
      failed: ['worktree policy::no-git-ops'],
    });
    expect(report.git).toMatchObject([{ when: 'agent', own: true }]);
    // its commits are judged all the same
    expect(report.snapshot.changes).toBe(1);
  });

  test('agents that come and go are explained by their rows', async () => {
    const { spawn, verify, repo, append } = agentsPlace(FILES);
    const one = spawn('one');
    const other = spawn('other');
    expect(told(await verify('one'))).toEqual(HOLDS);
    repo.git('worktree', 'remove', '--force', other.worktree);
    const clean = {
      format: 1,
      kind: 'clean',
      agent_id: 'other',
      at: AT,
      worktree: other.worktree,
      discarded: false,
    } as const;
    append(clean);
    expect(told(await verify('one'))).toEqual(HOLDS);
    // one that was there before is explained as well
    spawn('later');
    repo.git('worktree', 'remove', '--force', one.worktree);
    append({ ...clean, agent_id: 'one', worktree: one.worktree });
    expect(told(await verify('later'))).toEqual(HOLDS);
    repo.git('worktree', 'add', '--quiet', '--detach', join(tempFolder(), 'stranger'));
    expect((await verify('later')).verdict).toBe('unjudged');
  });

  test('a worktree that is gone, moved or a link now cannot be judged', async () => {
    const { spawn, verify, trees } = agentsPlace(FILES);
    const one = spawn('one');
    renameSync(one.worktree, join(trees, 'moved'));
    await expect(verify('one')).rejects.toMatchObject({ code: 'work_unjudged' });
    symlinkSync(join(trees, 'moved'), one.worktree);
    await expect(verify('one')).rejects.toMatchObject({ code: 'work_unjudged' });
    rmSync(one.worktree);
    renameSync(join(trees, 'moved'), one.worktree);
    writeFileSync(one.at('.git'), 'gitdir: /nowhere\n');
    expect(told(await verify('one'))).toMatchObject({ verdict: 'violations', git: ['worktrees/one/.git'] });
  });
});
