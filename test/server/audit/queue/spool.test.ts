import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../../support/folder.ts';
import { START } from '../records.ts';
import { drained, entry, files, ids, MIB, opened, lineOf } from './spooling.ts';

describe('the spool', () => {
  test('the spool returns the added rows unchanged, in order, until they are dropped', () => {
    const spool = opened(tempFolder());
    const entries = ['a\nb', 'x\ud800y', '"', 'Zoë 🪴', 'a\0b'].map((intent, i) => entry(i, intent));
    spool.add(entries);
    expect(spool.oldest()).toEqual(entries);
    expect(spool.oldest()).toEqual(entries);
    spool.drop();
    expect([spool.rows(), spool.bytes(), spool.since()]).toEqual([0, 0, null]);
    spool.end();
  });

  test('the spool reports number, size and age of its rows', () => {
    let at = START;
    const spool = opened(tempFolder(), 'w1', MIB, () => (at += 1000));
    spool.add([entry(1)]);
    spool.add([entry(2)]);
    expect([spool.rows(), spool.since()]).toEqual([2, START + 1000]);
    expect(spool.bytes()).toBe(Buffer.byteLength(lineOf(entry(1))) * 2);
    spool.end();
  });

  test('the spool is private to its owner, and leaves no file once it is empty', () => {
    const folder = join(tempFolder(), 'spool');
    const spool = opened(folder);
    spool.add([entry(1)]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, files(folder)[0] ?? '')).mode & 0o777).toBe(0o600);
    drained(spool);
    spool.end();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('a full spool refuses rows, and accepts rows again once it is drained', () => {
    const line = Buffer.byteLength(lineOf(entry(1)));
    const spool = opened(tempFolder(), 'w1', 3 * line);
    [1, 2, 3].forEach((i) => {
      spool.add([entry(i)]);
    });
    expect(() => {
      spool.add([entry(4)]);
    }).toThrow('full');
    expect(drained(spool)).toEqual(ids(1, 2, 3));
    spool.add([entry(4)]);
    expect(drained(spool)).toEqual(ids(4));
    spool.end();
  });
});

describe('the files of a spool', () => {
  /** An entry whose line has this size. */
  const ofSize = (i: number, bytes: number) =>
    entry(i, 'x'.repeat(bytes - Buffer.byteLength(lineOf(entry(i, 'x'))) + 1));

  test.each([
    ['closed with 512 KiB', 0, 2],
    ['open with less', 1, 1],
  ])('are %s', (_, less, count) => {
    const folder = tempFolder();
    const spool = opened(folder, 'w1', 64 * MIB);
    spool.add([ofSize(1, 512 * 1024 - less)]);
    spool.add([entry(2)]);
    expect(files(folder)).toEqual(['w1.00000001.jsonl', 'w1.00000002.jsonl'].slice(0, count));
    spool.end();
  });

  test('belong to one spool: a second of the same name adds nothing', () => {
    const folder = tempFolder();
    const [spool, second] = [opened(folder), opened(folder)];
    spool.add([entry(1)]);
    const add = () => {
      second.add([entry(2)]);
    };
    expect(add).toThrow('in use');
    expect(drained(spool)).toEqual(ids(1));
    // the name stays its own as long as it lives
    expect([readdirSync(folder), second.rows()]).toEqual([['w1.lock'], 0]);
    expect(add).toThrow('in use');
    spool.end();
    second.end();
  });

  test('are counted right where nothing is dropped, and where rows are dropped of which the store had some', () => {
    const spool = opened(tempFolder());
    spool.drop();
    spool.add([entry(1)]);
    spool.add([entry(2)]);
    spool.stored(1);
    expect([spool.rows(), spool.oldest().length]).toEqual([1, 2]);
    spool.drop();
    spool.add([entry(3)]);
    expect([spool.rows(), spool.torn()]).toEqual([1, 0]);
    spool.end();
  });
});

describe('rows that the store has without being asked for by the spool', () => {
  const filled = (...batches: readonly (readonly number[])[]) => {
    const folder = tempFolder();
    const spool = opened(folder, 'w1', 64 * MIB);
    for (const numbers of batches) {
      spool.add(numbers.map((i) => entry(i)));
      // a file of its own
      if (numbers.length > 1) spool.add([entry(1000 + (numbers[0] ?? 0), 'x'.repeat(600_000))]);
    }
    return { folder, spool };
  };

  test('go from the beginning, file by file, and the last ones empty the open file', () => {
    const { folder, spool } = filled([1, 2], [3, 4], [5]);
    const left = () => [files(folder).length, spool.rows()];
    expect(left()).toEqual([3, 7]);
    spool.stored(2);
    expect(left()).toEqual([3, 5]);
    spool.stored(1);
    expect(left()).toEqual([2, 4]);
    spool.stored(3);
    expect(left()).toEqual([1, 1]);
    spool.stored(1);
    expect([...left(), spool.bytes()]).toEqual([1, 0, 0]);
    spool.add([entry(6)]);
    expect([spool.rows(), drained(spool)]).toEqual([1, ids(6)]);
    spool.end();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('may be those of several files at once', () => {
    const { folder, spool } = filled([1, 2], [3, 4], [5]);
    spool.stored(7);
    expect([spool.rows(), spool.bytes(), spool.torn(), files(folder).length]).toEqual([0, 0, 0, 1]);
    spool.end();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('are read before all others that wait, unless they are put back', () => {
    const { spool } = filled([1, 2], [3]);
    expect(spool.unread()).toBe(4);
    expect(spool.oldest()).toHaveLength(3);
    expect(spool.unread()).toBe(1);
    spool.putBack();
    expect(spool.unread()).toBe(4);
    spool.oldest();
    spool.drop();
    expect([spool.unread(), spool.oldest().map((it) => it.id), spool.unread()]).toEqual([1, ids(3), 0]);
    spool.add([entry(4)]);
    expect(spool.unread()).toBe(1);
    spool.end();
  });

  test('leave the time of the oldest row that is left', () => {
    let at = START;
    const spool = opened(tempFolder(), 'w1', 64 * MIB, () => (at += 1000));
    spool.add([entry(1, 'x'.repeat(600_000))]);
    spool.add([entry(2)]);
    expect(spool.since()).toBe(START + 1000);
    spool.stored(1);
    expect(spool.since()).toBe(START + 2000);
    spool.end();
  });
});

describe('an unusable folder', () => {
  test('opening a spool fails if its folder is a file', () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    expect(() => opened(file)).toThrow();
  });
});
