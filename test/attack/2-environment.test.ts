import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openGit } from '../../compiler/io/git/git.ts';
import { openSources } from '../../compiler/io/git/open-sources.ts';
import { findRepository } from '../../compiler/io/git/repository.ts';
import { workplace, SIGN } from '../cli/workplace.ts';
import { tempFolder } from '../support/folder.ts';
import { smallDeployment, type Repository } from '../support/repository.ts';
import { configure, programsOf, trap } from './hostile.ts';

const open = (repo: string) => openSources({ repo, folder: 'instructions', ref: 'HEAD', lenient: false });

function committed(): Repository {
  const repo = smallDeployment();
  repo.commit();
  return repo;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('the environment of git', () => {
  test('a compile runs no program named git from the repository or the working folder', async () => {
    const place = workplace();
    const set = trap();
    for (const folder of ['node_modules/.bin', '.']) {
      mkdirSync(join(place.cwd, folder), { recursive: true });
      cpSync(set.program, join(place.cwd, folder, 'git'));
    }
    const path = ['', '.', 'node_modules/.bin', join(place.cwd, 'node_modules/.bin'), process.env['PATH'] ?? ''];
    const ran = await place.runProcess(['compile', ...SIGN], { PATH: path.join(':') });
    expect([ran.code, set.marks()]).toEqual([0, []]);
  });

  test('a compile ignores the git variables in the environment of its caller', async () => {
    const place = workplace();
    const set = trap();
    const hostile = committed();
    configure(join(hostile.path, '.git'), programsOf(set, tempFolder()));
    const named = { GIT_DIR: join(hostile.path, '.git'), GIT_WORK_TREE: hostile.path, GIT_INDEX_FILE: '/dev/null' };
    const run = { GIT_EXTERNAL_DIFF: set.program, GIT_SSH_COMMAND: set.program, GIT_PAGER: set.program };
    const ask = {
      GIT_ASKPASS: set.program,
      SSH_ASKPASS: set.program,
      GIT_PROXY_COMMAND: set.program,
      PAGER: set.program,
    };
    const counted = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: set.program };
    const files = {
      GIT_CONFIG_GLOBAL: join(hostile.path, '.git/config'),
      GIT_CONFIG_SYSTEM: join(hostile.path, '.git/config'),
    };
    const parameters = { GIT_CONFIG_PARAMETERS: `'core.fsmonitor=${set.program}'`, GIT_EXEC_PATH: tempFolder() };
    const objects = {
      GIT_OBJECT_DIRECTORY: tempFolder(),
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(hostile.path, '.git/objects'),
    };
    const env = {
      ...named,
      ...run,
      ...ask,
      ...counted,
      ...files,
      ...parameters,
      ...objects,
      GIT_TRACE: join(tempFolder(), 'x'),
    };
    const ran = await place.runProcess(['compile', ...SIGN], env);
    expect([ran.code, ran.envelope().meta['repository'], set.marks()]).toEqual([0, place.cwd, []]);
  });

  test.each([
    ['is missing', null],
    ['is too old', 'git version 2.30.9'],
    ['prints no version', 'hello'],
  ])('a compile ends with GIT_UNAVAILABLE if git %s', async (_, version) => {
    const place = workplace();
    const folder = tempFolder();
    if (version !== null) {
      writeFileSync(join(folder, 'git'), `#!/bin/sh\necho '${version}'\n`);
      chmodSync(join(folder, 'git'), 0o755);
    }
    vi.stubEnv('PATH', folder);
    const ran = await place.run(['compile', ...SIGN]);
    expect([ran.code, ran.envelope().error.code]).toEqual([4, 'GIT_UNAVAILABLE']);
  });

  test('a killed git is an error, even if its output was complete', async () => {
    const folder = tempFolder();
    const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    const script = `#!/bin/sh\nif [ "$1" = log ]; then '${real}' "$@"; kill -9 $$; fi\nexec '${real}' "$@"\n`;
    writeFileSync(join(folder, 'git'), script);
    chmodSync(join(folder, 'git'), 0o755);
    vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
    const sources = await open(committed().path);
    await expect(sources.history([])).rejects.toMatchObject({ code: 'repository_unreadable' });
  });

  test('a call of git leaves no file in TMPDIR', async () => {
    const repo = committed();
    const folder = tempFolder();
    vi.stubEnv('TMPDIR', folder);
    const place = await findRepository(repo.path);
    const git = await openGit(place!);
    expect(await git.text(['rev-parse', 'HEAD'])).toBe(repo.git('rev-parse', 'HEAD'));
    await expect(git.text(['rev-parse', '--verify', 'nothing'])).rejects.toMatchObject({
      code: 'repository_unreadable',
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});
