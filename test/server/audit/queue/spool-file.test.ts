import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createSpoolFile, inspectSpoolFile, spooledRows } from '../../../../server/audit/queue/spool-file.ts';
import { acquireLock } from '../../../../server/audit/queue/spool.ts';
import { tempFolder } from '../../../support/folder.ts';
import { closed, recalled } from '../memory-ledger.ts';
import { lineOf, readRows } from './spooling.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = tempFolder();
  path = join(folder, 'w1.jsonl');
});

const lines = (...numbers: readonly number[]) => Buffer.from(numbers.map((i) => lineOf(recalled(i))).join(''));
const counted = ({ rows, bytes, since }: { rows: number; bytes: number; since: number }) => [rows, bytes, since];

describe('a file of the spool', () => {
  test('counts its rows and bytes, and keeps the time of its first row, until it is emptied', () => {
    let now = 100;
    const file = createSpoolFile(path, () => (now += 1));
    expect(counted(file)).toEqual([0, 0, 0]);
    file.add(lines(1, 2), 2);
    file.add(lines(3), 1);
    expect(counted(file)).toEqual([3, lines(1, 2, 3).length, 101]);
    expect([readFileSync(path), statSync(path).mode & 0o777]).toEqual([lines(1, 2, 3), 0o600]);
    file.empty();
    expect([...counted(file).slice(0, 2), readFileSync(path).length]).toEqual([0, 0, 0]);
    file.add(lines(4), 1);
    expect([...counted(file), file.close()]).toEqual([1, lines(4).length, 102, true]);
    expect(readFileSync(path)).toEqual(lines(4));
  });

  test('goes with its last row, and is never one that exists', () => {
    const file = createSpoolFile(path, () => 1);
    expect(() => createSpoolFile(path, () => 1)).toThrow('EEXIST');
    expect([file.close(), existsSync(path)]).toEqual([false, false]);
  });

  test('of an ended process is counted by its complete lines, and read row by row', () => {
    writeFileSync(path, Buffer.concat([lines(1, 2), lines(3).subarray(0, 50)]));
    const since = Math.trunc(statSync(path).birthtimeMs);
    expect(inspectSpoolFile(path)).toEqual({ path, rows: 2, bytes: lines(1, 2).length + 50, since });
    expect(readRows(path)).toEqual({ rows: [recalled(1), recalled(2)], torn: 1, altered: 0 });
  });

  test('gives back every row as it was, closings and rows without an intent too', () => {
    const entries = [recalled(1), closed(1), { ...recalled(2), intent: null }];
    writeFileSync(path, entries.map(lineOf).join(''));
    expect(readRows(path)).toEqual({ rows: entries, torn: 0, altered: 0 });
  });

  test.each([
    ['another type', { type: 'opening' }],
    ['a number as its id', { id: 1 }],
    ['no agent', { agent_id: undefined }],
    ['a number as its request', { request: 1 }],
    ['a broken time', { created_at: 1.5 }],
  ])('does not give a row with %s', (_, over) => {
    writeFileSync(path, lineOf({ ...recalled(1), ...(over as object) }) + lineOf(recalled(2)));
    expect(readRows(path)).toEqual({ rows: [recalled(2)], torn: 0, altered: 1 });
  });

  test('is not followed where it is a link', () => {
    writeFileSync(join(folder, 'other'), lines(1));
    symlinkSync(join(folder, 'other'), path);
    expect(() => inspectSpoolFile(path)).toThrow('ELOOP');
    expect(() => readRows(path)).toThrow('ELOOP');
  });
});

describe('the rows in the spool of an audit', () => {
  test('are those of all its files, and none without a folder', () => {
    const state = join(folder, 'audit');
    expect(spooledRows({ state })).toBe(0);
    mkdirSync(`${state}.spool`);
    const write = (name: string, ...numbers: readonly number[]) => {
      writeFileSync(join(`${state}.spool`, name), lines(...numbers));
    };
    write('a.jsonl', 1, 2);
    write('b.jsonl', 3);
    write('a.lock', 4);
    // removed meanwhile, as far as this process can see
    symlinkSync(join(folder, 'missing'), join(`${state}.spool`, 'c.jsonl'));
    expect(spooledRows({ state })).toBe(3);
  });
});

describe('the lock of a spool', () => {
  test('is held by one at a time, until it is released', () => {
    const lock = acquireLock(path);
    expect([lock === null, acquireLock(path)]).toEqual([false, null]);
    lock?.();
    expect(existsSync(path)).toBe(false);
    const again = acquireLock(path);
    expect([again === null, acquireLock(path)]).toEqual([false, null]);
    again?.();
  });

  test('is held on a damaged file too, which is emptied', () => {
    writeFileSync(path, 'x'.repeat(10_000));
    const lock = acquireLock(path);
    expect([lock === null, acquireLock(path)]).toEqual([false, null]);
    lock?.();
  });

  test('is refused on what is no regular file, and where no file can be', () => {
    mkdirSync(path);
    expect(() => acquireLock(path)).toThrow('not a regular file');
    expect(() => acquireLock(join(folder, 'missing', 'w1.lock'))).toThrow();
    symlinkSync(join(folder, 'other'), join(folder, 'link'));
    expect(() => acquireLock(join(folder, 'link'))).toThrow('not a regular file');
  });
});
