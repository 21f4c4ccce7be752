import { appendFileSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lineOf } from '../../../../server/audit/queue/spool-file.ts';
import { tempFolder } from '../../../support/folder.ts';
import { drained, entry, files, ids, MIB, opened } from './spooling.ts';

describe('the spool of an ended process', () => {
  const leaveRows = (folder: string, writer: string, numbers: readonly number[]) => {
    const spool = opened(folder, writer, 64 * MIB);
    for (const i of numbers) spool.add([entry(i)]);
    spool.end();
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
