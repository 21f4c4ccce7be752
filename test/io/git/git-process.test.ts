import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { inOwnFolder, runGit, type GitCall } from '../../../compiler/io/git/git-process.ts';
import { tempFolder } from '../../support/folder.ts';
import { repository } from '../../support/repository.ts';

/** Runs a shell script in the place of git: git itself can hardly be made to end like this. */
async function runScript(script: string, call: Omit<GitCall, 'own'> = {}): Promise<Buffer> {
  const folder = tempFolder();
  const program = join(folder, 'git');
  writeFileSync(program, `#!/bin/sh\n[ "$1" = version ] && echo git version 2.40.0 && exit\n${script}\n`);
  chmodSync(program, 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env['PATH'] ?? ''}`);
  return inOwnFolder((own) => runGit(['cat-file'], { own, ...call }));
}

const READ_ALL = 'cat >/dev/null';

describe('DESIGN §6.14 half an answer of git is no answer', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each([
    ['that is killed', 'kill -KILL $$'],
    ['that is interrupted', 'kill -INT $$'],
    ['that exits with an error and says nothing of it', 'exit 3'],
    ['that exits with an error and says why', 'echo fatal: bad object >&2; exit 128'],
  ])('a git %s after some output is refused', async (_, end) => {
    await expect(runScript(`echo half; ${end}`)).rejects.toMatchObject({ code: 'repository_unreadable' });
  });

  test('output beyond the limit is refused, and output at the limit is not', async () => {
    const limits = { bytes: 100_000 };
    const printed = (size: number) => `head -c ${String(size)} /dev/zero`;
    expect(await runScript(printed(limits.bytes), { limits })).toHaveLength(limits.bytes);
    await expect(runScript(printed(limits.bytes + 1), { limits })).rejects.toMatchObject({
      code: 'repository_unreadable',
    });
  });

  test('a git that prints without end is killed at the limit, though it ignores other signals', async () => {
    const endless = runScript("trap '' INT TERM PIPE; while :; do cat /bin/sh 2>/dev/null; done", {
      limits: { bytes: 1_000_000 },
    });
    await expect(endless).rejects.toMatchObject({ code: 'repository_unreadable' });
  });

  test.each([
    ['goes on printing', 'while :; do echo more; sleep 0.02; done'],
    [
      'goes on printing and ignores other signals than a kill',
      "trap '' INT TERM; while :; do echo more; sleep 0.02; done",
    ],
    ['is silent', 'exec sleep 600'],
  ])('the whole time of a git that %s is limited', async (_, script) => {
    await expect(runScript(script, { limits: { milliseconds: 200 } })).rejects.toMatchObject({
      code: 'repository_unreadable',
    });
  });

  test('output that is still on its way when git exits is waited for', async () => {
    expect((await runScript('(sleep 0.3; echo late) & echo early')).toString()).toBe('early\nlate\n');
  });

  test('an exit code that is accepted is success', async () => {
    expect((await runScript('echo none; exit 1', { accept: [0, 1] })).toString()).toBe('none\n');
  });
});

describe('DESIGN §6.14 git gets and gives every byte', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));

  test('a blob with every byte comes out of a repository as it was', async () => {
    const { path } = repository();
    const call = { own: join(path, '.git') };
    const id = await runGit(['hash-object', '-w', '--stdin'], { ...call, input: bytes });
    expect(await runGit(['cat-file', 'blob', id.toString().trim()], call)).toEqual(bytes);
  });

  test('every byte of the input comes back in the output', async () => {
    const input = Buffer.concat(Array.from({ length: 2000 }, () => bytes));
    expect((await runScript('exec cat', { input })).equals(input)).toBe(true);
  });

  test.each([
    ['no input', undefined],
    ['an empty input', ''],
  ])('%s ends at once', async (_, input) => {
    expect(await runScript('exec cat', { input })).toHaveLength(0);
  });

  test('a git that does not read its input still answers', async () => {
    expect((await runScript('echo done', { input: 'x'.repeat(1_000_000) })).toString()).toBe('done\n');
  });

  test('no variable of the caller but PATH reaches git', async () => {
    const planted = {
      GIT_DIR: '/elsewhere',
      GIT_EXTERNAL_DIFF: '/bin/false',
      GIT_SSH_COMMAND: 'false',
      EDITOR: 'false',
    };
    const more = { GIT_TRACE: '1', GIT_CONFIG_COUNT: '1', SECRET: 'a secret', PAGER: 'false', NODE_OPTIONS: '' };
    for (const [name, value] of Object.entries({ ...planted, ...more })) vi.stubEnv(name, value);
    const printed = (await runScript(`${READ_ALL}; env`, { env: { GIT_INDEX_FILE: '/index' } })).toString();
    const found = new Map(printed.split('\n').map((line) => [line.replace(/=.*/, ''), line.replace(/^[^=]*=/, '')]));
    const names = [...found.keys()].filter((name) => name in more || name in planted);
    expect(names).toEqual(['GIT_DIR']);
    expect(found.get('GIT_DIR')).not.toBe(planted.GIT_DIR);
    expect(found.get('GIT_INDEX_FILE')).toBe('/index');
  });
});
