import { appendFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSpoolSeal } from '../../../../server/audit/queue/spool-file.ts';
import { openSpool, type SpoolOptions } from '../../../../server/audit/queue/spool.ts';
import { tempFolder } from '../../../support/folder.ts';
import { START } from '../records.ts';
import { drained, entry, files, ids, lineOf, MIB, opened, SEAL } from './spooling.ts';

describe('the spool of an ended process', () => {
  const leaveRows = (folder: string, writer: string, numbers: readonly number[]) => {
    const spool = opened(folder, writer, 64 * MIB);
    for (const i of numbers) spool.add([entry(i)]);
    spool.end();
  };

  const place = (folder: string, seal: SpoolOptions['seal']): SpoolOptions => {
    return { folder, writer: 'w2', maxBytes: MIB, now: () => START, seal, onAltered: () => undefined };
  };

  test('rows of ended processes come first, those of the oldest process before the others', () => {
    const folder = tempFolder();
    leaveRows(folder, 'w1', [1, 2]);
    leaveRows(folder, 'w2', [3]);
    const spool = opened(folder, 'w3', 64 * MIB);
    expect(spool.rows()).toBe(3);
    spool.add([entry(4)]);
    expect(drained(spool)).toEqual(ids(1, 2, 3, 4));
    spool.end();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('several files of one process are all taken over, and its lock goes with the last of them', () => {
    const folder = tempFolder();
    const left = opened(folder, 'w1', 64 * MIB);
    for (const i of [1, 2]) left.add([entry(i, 'x'.repeat(600_000))]);
    left.end();
    leaveRows(folder, 'w2', [3]);
    const spool = opened(folder, 'w3', 64 * MIB);
    spool.add([entry(4)]);
    const others = () => {
      const other = opened(folder, 'w4');
      const rows = other.rows();
      other.end();
      return [rows, readdirSync(folder).filter((name) => name.endsWith('.lock'))];
    };
    const next = () => {
      const read = spool.oldest().map((it) => it.id);
      spool.drop();
      return read;
    };
    expect([next(), ...others()]).toEqual([ids(1), 0, ['w1.lock', 'w2.lock', 'w3.lock']]);
    expect([next(), ...others()]).toEqual([ids(2), 0, ['w2.lock', 'w3.lock']]);
    // a new process of that name locks it again, and keeps its lock
    const again = opened(folder, 'w1');
    again.add([entry(5)]);
    expect([next(), ...others()]).toEqual([ids(3), 0, ['w1.lock', 'w3.lock']]);
    spool.add([entry(6)]);
    expect(files(folder)).toEqual(['w1.00000001.jsonl', 'w3.00000001.jsonl']);
    expect(drained(spool)).toEqual(ids(4, 6));
    again.end();
    spool.end();
  });

  test('a file that went while it was taken over is left out, and its lock removed', () => {
    const folder = tempFolder();
    symlinkSync(join(folder, 'gone'), join(folder, 'w1.00000001.jsonl'));
    const spool = opened(folder, 'w2');
    expect([spool.rows(), readdirSync(folder)]).toEqual([0, ['w1.00000001.jsonl']]);
    spool.end();
  });

  test('its own file stays open while files of others are read', () => {
    const folder = tempFolder();
    leaveRows(folder, 'w1', [1]);
    const spool = opened(folder, 'w2');
    spool.add([entry(2)]);
    spool.oldest();
    spool.add([entry(3)]);
    expect(files(folder)).toEqual(['w1.00000001.jsonl', 'w2.00000001.jsonl']);
    spool.end();
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

  test('lines that no server with this key sealed are not stored, and their file is kept and told', () => {
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
    const told: unknown[] = [];
    const spool = openSpool({ ...place(folder, SEAL), onAltered: (...of) => told.push(of) });
    expect(drained(spool)).toEqual(ids(1));
    expect([spool.torn(), told]).toEqual([0, [[`${path}.altered`, bad.length]]]);
    spool.end();
    expect(readdirSync(folder)).toEqual([`${basename(path)}.altered`]);
  });

  test('a row whose agent somebody changed while it waited is not stored, and its neighbours are', () => {
    const folder = tempFolder();
    leaveRows(folder, 'w1', [1, 2, 3]);
    const path = join(folder, files(folder)[0] ?? '');
    const lines = readFileSync(path, 'utf8').split('\n');
    lines[1] = lines[1]?.replace('"cto-id"', '"another"') ?? '';
    writeFileSync(path, lines.join('\n'));
    const told: number[] = [];
    const spool = openSpool({ ...place(folder, SEAL), onAltered: (_, rows) => told.push(rows) });
    expect(drained(spool)).toEqual(ids(1, 3));
    expect(told).toEqual([1]);
    spool.end();
  });

  test('rows that an earlier key sealed are read while that key is still named, and kept aside after', () => {
    const [old, own] = ['the old key of some length', 'the new key of some length'].map((it) => Buffer.from(it));
    const rotated = createSpoolSeal([own!, old!]);
    for (const [seal, read] of [
      [rotated, ids(1)],
      [createSpoolSeal([own!]), []],
    ] as const) {
      const folder = tempFolder();
      const before = openSpool({ ...place(folder, createSpoolSeal([old!])), writer: 'w1' });
      before.add([entry(1)]);
      before.end();
      const spool = openSpool(place(folder, seal));
      expect(drained(spool)).toEqual(read);
      spool.end();
      expect(readdirSync(folder)).toHaveLength(read.length === 0 ? 1 : 0);
    }
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
