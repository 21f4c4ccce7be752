import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askHost, judgeHost } from '../../../../compiler/tasks/use-cases/doctor/examine-hooks.ts';
import { tempFolder } from '../../../support/folder.ts';

const NONE = { program: null, version: null, blocks_on_failure: null };

const SHELL = execFileSync('/bin/sh', ['-c', 'command -v sh'], { encoding: 'utf8' }).trim();

/** The answer of a host that runs a script. */
async function asked(script: string | null) {
  const [bin, folder, repository] = [tempFolder(), tempFolder(), tempFolder()];
  const program = join(bin, 'claude');
  if (script !== null) writeFileSync(program, `#!${SHELL}\n${script}\n`, { mode: 0o755 });
  const host = await askHost({ PATH: `${bin}:/usr/bin:/bin`, HOME: '/home/ann' }, repository, folder);
  return { host, program, folder };
}

test('a host says its version, and whether it blocks a call whose hook fails follows from it', async () => {
  const new_ = await asked('echo "2.1.295 (Claude Code)"');
  expect(new_.host).toEqual({ program: new_.program, version: '2.1.295', blocks_on_failure: true });
  const old = await asked('echo 2.1.294');
  expect(old.host).toEqual({ program: old.program, version: '2.1.294', blocks_on_failure: false });
});

test('a host that fails, or says something else, has no version that is known', async () => {
  for (const it of ['echo 2.1.295; exit 1', 'echo Claude', 'true']) {
    const { host, program } = await asked(it);
    expect(host).toEqual({ ...NONE, program });
  }
});

test('a host is asked for its version alone, in a home that goes with the question', async () => {
  const { folder } = await asked('printf "%s\\n" "$*" "$HOME" "$TMPDIR" "$(pwd)" > "$HOME/told"; echo 2.1.295');
  expect(readFileSync(join(folder, 'told'), 'utf8').trim().split('\n')).toEqual(['--version', folder, folder, folder]);
});

test('where no host is on PATH, or only one in the repository, none is asked', async () => {
  const repository = tempFolder();
  mkdirSync(join(repository, 'bin'));
  writeFileSync(join(repository, 'bin/claude'), '#!/bin/sh\necho 2.1.295\n', { mode: 0o755 });
  expect(await askHost({ PATH: join(repository, 'bin') }, repository, tempFolder())).toEqual(NONE);
  expect(await askHost({}, repository, tempFolder())).toEqual(NONE);
});

test('only a host that is known to let calls through is a fault', () => {
  const of = (blocks_on_failure: boolean | null) =>
    judgeHost({ ...NONE, version: '1.0.0', blocks_on_failure }).map((it) => [it.code, it.fix]);
  expect([of(null), of(true), of(false)]).toEqual([[], [], [['host_too_old', 'claude update']]]);
});
