import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { changeSidecar } from '../../compiler/io/bundle/change-sidecars.ts';
import { writeBundle } from '../../compiler/io/bundle/write-bundle.ts';
import { takeLock } from '../../compiler/io/files/lock.ts';
import type { Bundle } from '../../compiler/schema/bundle/bundle.ts';
import { changeKeyFile, readKeyFile } from '../../compiler/world/key-file.ts';
import { compileRepository } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { heldElsewhere } from '../support/held.ts';
import { smallDeployment } from '../support/repository.ts';

const locked = expect.objectContaining({ code: 'file_locked' }) as Error;

let bundle: Bundle;

beforeAll(async () => {
  const repo = smallDeployment();
  repo.commit();
  bundle = (await compileRepository(repo.path)).bundle!;
});

describe('one writer at a time, even in different containers', () => {
  test('a lock that another process holds is refused, even if it contains this process’s ID', async () => {
    const out = tempFolder();
    const path = join(out, '.lock');
    await heldElsewhere(path);
    // as a process of another container, with the same id there, would have written it
    execFileSync('sh', ['-c', `printf ${process.pid} > "$1"`, 'sh', path]);
    expect(() => writeBundle(out, bundle, null)).toThrow(locked);
    expect(() => {
      changeSidecar(out, 'freshness.dsse.json', () => Buffer.from('{}'));
    }).toThrow(locked);
    expect(readdirSync(out)).toEqual(['.lock']);
  });

  test('the lock of a killed process does not stop the next writer', async () => {
    const out = tempFolder();
    const { said, kill } = await heldElsewhere(join(out, '.lock'));
    expect(said).toBe('held');
    await kill();
    expect(existsSync(join(out, '.lock'))).toBe(true);
    writeBundle(out, bundle, null);
    expect(existsSync(join(out, '.lock'))).toBe(false);
  });

  test('one of two processes has the lock, and this process has it once', async () => {
    const path = join(tempFolder(), 'lock');
    const unlock = takeLock(path);
    expect(unlock).not.toBeNull();
    expect((await heldElsewhere(path)).said).toBe('taken');
    expect(takeLock(path)).toBeNull();
    unlock?.();
    expect((await heldElsewhere(path)).said).toBe('held');
  });

  test('the lock of a killed process does not stop a change of the key file', async () => {
    const path = join(tempFolder(), 'keys.json');
    const { kill } = await heldElsewhere(`${path}.lock`);
    await kill();
    changeKeyFile(path, { now: new Date() }, () => []);
    expect(readKeyFile(path)).toEqual([]);
  });
});

describe('damaged lock files', () => {
  const holding = (bytes: string | Buffer, journal?: Buffer) => (path: string) => {
    writeFileSync(path, bytes);
    if (journal) writeFileSync(`${path}-journal`, journal);
  };
  const PLAYED_BACK = Buffer.from('d9d505f920a163d7000000010000000000000000', 'hex');

  test.each<[what: string, make: (path: string) => unknown]>([
    ['text', holding('4711\n')],
    ['a megabyte of noise', holding(Buffer.alloc(1_000_000, 0xa5))],
    ['a journal beside it that asks to be played back', holding('', PLAYED_BACK)],
    ['a folder', (path) => mkdirSync(join(path, 'x'), { recursive: true })],
    [
      'a link to nowhere',
      (path) => {
        symlinkSync('/nowhere/at/all', path);
      },
    ],
    ['a pipe that nobody writes to', (path) => execFileSync('mkfifo', [path])],
  ])('a bundle is written although its lock file is %s', (_what, make) => {
    const out = tempFolder();
    make(join(out, '.lock'));
    writeBundle(out, bundle, null);
    expect(existsSync(join(out, 'current'))).toBe(true);
    expect(existsSync(join(out, '.lock'))).toBe(false);
  });
});
