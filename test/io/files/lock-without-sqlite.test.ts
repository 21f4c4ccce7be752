import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeNamedLock } from '../../../compiler/io/files/lock-without-sqlite.ts';
import { tempFolder } from '../../support/folder.ts';

describe('a lock where SQLite could not be compiled', () => {
  test('a lock is held until it is released, and leaves no file', () => {
    const folder = tempFolder();
    const release = takeNamedLock(join(folder, 'lock'));
    expect(takeNamedLock(join(folder, 'lock'))).toBeNull();
    release?.();
    expect(readdirSync(folder)).toEqual([]);
    const again = takeNamedLock(join(folder, 'lock'));
    expect(again).not.toBeNull();
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('a lock of a process that runs is held, and one of a process that has ended is not', async () => {
    const path = join(tempFolder(), 'lock');
    const other = spawn('sleep', ['60']);
    writeFileSync(path, String(other.pid));
    expect(takeNamedLock(path)).toBeNull();
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(takeNamedLock(path)).not.toBeNull();
  });

  test.each([['an empty file, as SQLite locks'], ['no number'], ['0'], ['-1'], ['1e99']])(
    'a file that names no process (%s) holds no lock',
    (text) => {
      const path = join(tempFolder(), 'lock');
      writeFileSync(path, text.startsWith('an empty') ? '' : text);
      expect(takeNamedLock(path)).not.toBeNull();
    },
  );

  test('a dead lock is taken once, and nothing is left beside it', () => {
    const folder = tempFolder();
    const path = join(folder, 'lock');
    writeFileSync(path, String(spawnSync('true').pid));
    expect([1, 2, 3].map(() => takeNamedLock(path) !== null)).toEqual([true, false, false]);
    expect(readdirSync(folder)).toEqual(['lock']);
  });

  test('a folder that is not there is an error, not a lock that somebody holds', () => {
    expect(() => takeNamedLock(join(tempFolder(), 'none', 'lock'))).toThrow();
  });
});
