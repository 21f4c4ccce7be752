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

/** Everything that is there, in its order, taken away. */
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
  test('gives back what was added, word for word, in its order', () => {
    const spool = opened(tempFolder());
    const given = ['a\nb', 'x\ud800y', '"', 'Zoë 🪴', 'a\0b'].map((intent, i) => entry(i, intent));
    spool.add(given);
    expect(spool.oldest()).toEqual(given);
    expect(spool.oldest()).toEqual(given);
    spool.drop();
    expect([spool.rows(), spool.bytes(), spool.since()]).toEqual([0, 0, null]);
    spool.end();
  });

  test('says how many rows wait, how heavy they are, and since when', () => {
    let at = START;
    const spool = opened(tempFolder(), 'w1', MIB, () => (at += 1000));
    spool.add([entry(1)]);
    spool.add([entry(2)]);
    expect([spool.rows(), spool.since()]).toEqual([2, START + 1000]);
    expect(spool.bytes()).toBe(Buffer.byteLength(lineOf(entry(1))) * 2);
    spool.end();
  });

  test('takes rows while others are on their way to the store', () => {
    const spool = opened(tempFolder());
    spool.add([entry(1)]);
    expect(spool.oldest().map((it) => it.id)).toEqual(ids(1));
    spool.add([entry(2)]);
    spool.drop();
    expect(drained(spool)).toEqual(ids(2));
    spool.end();
  });

  test('is for its owner’s eyes alone, and leaves no file behind once it is empty', () => {
    const folder = join(tempFolder(), 'spool');
    const spool = opened(folder);
    spool.add([entry(1)]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, files(folder)[0] ?? '')).mode & 0o777).toBe(0o600);
    drained(spool);
    spool.end();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('refuses what would make it heavier than it may be, and takes rows again once it is drained', () => {
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

  test('is written in files of a size that goes to the store at once', () => {
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

describe('what a process left behind', () => {
  const left = (folder: string, writer: string, numbers: readonly number[]) => {
    const spool = opened(folder, writer);
    for (const i of numbers) spool.add([entry(i)]);
    spool.end();
  };

  test('comes first, oldest process before the others', () => {
    const folder = tempFolder();
    left(folder, 'w1', [1, 2]);
    left(folder, 'w2', [3]);
    const spool = opened(folder, 'w3');
    expect(spool.rows()).toBe(3);
    spool.add([entry(4)]);
    expect(drained(spool)).toEqual(ids(1, 2, 3, 4));
    spool.end();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('stays where it is as long as that process lives', () => {
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

  test('may end in the middle of a row, which was never acknowledged: it is counted, and the others are there', () => {
    const folder = tempFolder();
    left(folder, 'w1', [1, 2]);
    const path = join(folder, files(folder)[0] ?? '');
    appendFileSync(path, lineOf(entry(3)).slice(0, 100));
    const spool = opened(folder, 'w2');
    expect(spool.rows()).toBe(2);
    expect(drained(spool)).toEqual(ids(1, 2));
    expect(spool.torn()).toBe(1);
    spool.end();
  });

  test('may be anything: what is no row is counted, and goes nowhere', () => {
    const folder = tempFolder();
    left(folder, 'w1', [1]);
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

  test('without one whole row is taken away', () => {
    const folder = tempFolder();
    left(folder, 'w1', [1]);
    writeFileSync(join(folder, files(folder)[0] ?? ''), '{"type":');
    const spool = opened(folder, 'w2');
    expect(drained(spool)).toEqual([]);
    expect([spool.rows(), spool.bytes(), spool.torn(), files(folder)]).toEqual([0, 0, 1, []]);
    spool.end();
  });
});

describe('a folder that cannot be used', () => {
  test('is told when the spool is opened', () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');
    expect(() => opened(file)).toThrow();
  });
});
