import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { acquireLock } from '../../../../server/audit/queue/spool.ts';
import { tempFolder } from '../../../support/folder.ts';

let path: string;

beforeEach(() => {
  path = join(tempFolder(), 'spool.lock');
});

describe('the lock of a spool', () => {
  test('is held by one at a time, until it is released', () => {
    const first = acquireLock(path)!;
    expect(acquireLock(path)).toBeNull();
    first();
    const second = acquireLock(path)!;
    expect(acquireLock(path)).toBeNull();
    second();
  });

  test('takes its file away where it is released', () => {
    acquireLock(path)!();
    expect(existsSync(path)).toBe(false);
    const next = acquireLock(path);
    expect(next).not.toBeNull();
    next?.();
  });

  test('is had of a damaged file, which is emptied in place', () => {
    writeFileSync(path, 'no database '.repeat(100));
    const { ino } = statSync(path);
    const lock = acquireLock(path)!;
    expect([statSync(path).ino, readFileSync(path, 'utf8')]).toEqual([ino, '']);
    expect(acquireLock(path)).toBeNull();
    lock();
  });

  test('is not had in a folder that is missing, which is not taken for damage', () => {
    expect(() => acquireLock(join(path, 'missing', 'spool.lock'))).toThrow('ENOENT');
  });

  test('is had of no folder and of no link, and what the link means stays', () => {
    const target = join(tempFolder(), 'target');
    writeFileSync(target, 'of somebody else');
    symlinkSync(target, path);
    expect(() => acquireLock(path)).toThrow();
    expect(readFileSync(target, 'utf8')).toBe('of somebody else');
    const folder = join(tempFolder(), 'folder');
    mkdirSync(folder);
    expect(() => acquireLock(folder)).toThrow();
  });
});
