import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lineOf } from '../../../../server/audit/queue/spool-file.ts';
import { openSpool, type Spool } from '../../../../server/audit/queue/spool.ts';
import { recallEntry } from '../../../../server/audit/records/entry.ts';
import { tempFolder } from '../../../support/folder.ts';
import { record, START } from '../records.ts';

const entry = (i: number, intent = `intent ${i}`) => recallEntry(record(i, { intent }), 'full');
const MIB = 1024 * 1024;

function opened(folder: string, writer = 'w1', maxBytes = MIB, now = () => START): Spool {
  return openSpool({ folder, writer, maxBytes, now });
}

/** Removes all rows. @returns their ids, in order */
function drained(spool: Spool): string[] {
  const ids: string[] = [];
  for (let rows = spool.oldest(); rows.length > 0; rows = spool.oldest()) {
    ids.push(...rows.map((it) => it.id));
    spool.drop();
  }
  return ids;
}

const ids = (...numbers: number[]) => numbers.map((i) => record(i).id);
const files = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.jsonl'));

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

  test('rows can be added while others are being written to the store', () => {
    const spool = opened(tempFolder());
    spool.add([entry(1)]);
    expect(spool.oldest().map((it) => it.id)).toEqual(ids(1));
    spool.add([entry(2)]);
    spool.drop();
    expect(drained(spool)).toEqual(ids(2));
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

  test('the spool is split into files of limited size', () => {
    const folder = tempFolder();
    const spool = opened(folder, 'w1', 64 * MIB);
    const numbers = Array.from({ length: 300 }, (_, i) => i);
    for (const i of numbers) spool.add([entry(i, 'x'.repeat(8000))]);
    expect(files(folder).length).toBeGreaterThan(3);
    for (const name of files(folder)) expect(statSync(join(folder, name)).size).toBeLessThan(MIB);
    expect(drained(spool)).toEqual(ids(...numbers));
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
    expect([spool.rows(), spool.bytes(), files(folder).length]).toEqual([0, 0, 1]);
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

describe('the spool of an ended process', () => {
  const leaveRows = (folder: string, writer: string, numbers: readonly number[]) => {
    const spool = opened(folder, writer);
    for (const i of numbers) spool.add([entry(i)]);
    spool.end();
  };

  test('rows of ended processes come first, those of the oldest process before the others', () => {
    const folder = tempFolder();
    leaveRows(folder, 'w1', [1, 2]);
    leaveRows(folder, 'w2', [3]);
    const spool = opened(folder, 'w3');
    expect(spool.rows()).toBe(3);
    spool.add([entry(4)]);
    expect(drained(spool)).toEqual(ids(1, 2, 3, 4));
    spool.end();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('the spool of a running process is not taken over', () => {
    const folder = tempFolder();
    const living = opened(folder, 'w1');
    living.add([entry(1)]);
    const other = opened(folder, 'w2');
    expect(other.rows()).toBe(0);
    other.end();
    living.add([entry(2)]);
    expect(drained(living)).toEqual(ids(1, 2));
    living.end();
  });

  test('a truncated last row of a spool file is counted as torn, and the other rows are read', () => {
    const folder = tempFolder();
    leaveRows(folder, 'w1', [1, 2]);
    const path = join(folder, files(folder)[0] ?? '');
    appendFileSync(path, lineOf(entry(3)).slice(0, 100));
    const spool = opened(folder, 'w2');
    expect(spool.rows()).toBe(2);
    expect(drained(spool)).toEqual(ids(1, 2));
    expect(spool.torn()).toBe(1);
    spool.end();
  });

  test('invalid lines of a spool file are counted as torn, and skipped', () => {
    const folder = tempFolder();
    leaveRows(folder, 'w1', [1]);
    const path = join(folder, files(folder)[0] ?? '');
    const bad = [
      '',
      '[]',
      'null',
      '{"body":{"type":"opening"}}',
      '{}',
      '\0\0\0',
      lineOf(entry(2)).replace('{', '{"seq":1,').trim(),
    ];
    writeFileSync(path, `${[...bad, readFileSync(path, 'utf8').trim()].join('\n')}\n`);
    const spool = opened(folder, 'w2');
    expect(drained(spool)).toEqual(ids(1));
    expect(spool.torn()).toBe(bad.length);
    spool.end();
  });

  test('a spool file without a complete row is removed', () => {
    const folder = tempFolder();
    leaveRows(folder, 'w1', [1]);
    writeFileSync(join(folder, files(folder)[0] ?? ''), '{"type":');
    const spool = opened(folder, 'w2');
    expect(drained(spool)).toEqual([]);
    expect([spool.rows(), spool.bytes(), spool.torn(), files(folder)]).toEqual([0, 0, 1, []]);
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
