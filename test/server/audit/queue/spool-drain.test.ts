import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SpoolDrain } from '../../../../server/audit/queue/spool-drain.ts';
import type { Spool } from '../../../../server/audit/queue/spool.ts';
import type { NewEntry } from '../../../../server/audit/records/store.ts';
import { recalled } from '../memory-ledger.ts';
import { fakeClock, held, type Held } from './clock.ts';

let clock: ReturnType<typeof fakeClock>;
/** The files of the spool, each as the numbers of its rows. */
let files: number[][];
/** Files that come just after the last look. */
let late: number[][];
let log: string[];
let isDown: boolean;
let answer: Held | null;
let shipping: number;
/** Whether the spool counts rows that it does not return, how often it was asked for rows, and what that does. */
let isMissing: boolean;
let asked: number;
let onAsked: () => void;
let drain: SpoolDrain;

beforeEach(() => {
  clock = fakeClock();
  [files, late, log, isDown, answer, shipping] = [[], [], [], false, null, 0];
  [isMissing, asked, onAsked] = [false, 0, () => undefined];
  const spool = {
    rows: () => files.flat().length,
    oldest: () => {
      // a test of rows that are missing must not go round for ever
      if (++asked > 1000) throw new Error('asked without end');
      onAsked();
      return isMissing ? [] : (files[0] ?? []).map(recalled);
    },
    drop: () => {
      log.push(`drop ${files.shift()?.join('')}`);
      queueMicrotask(() => files.push(...late.splice(0)));
    },
    putBack: () => void log.push('put back'),
  } as unknown as Spool;
  const write = async (rows: readonly NewEntry[]) => {
    log.push(`write ${rows.map(({ id }) => id.slice(-1)).join('')}`);
    if (isDown) throw new Error('down');
    await answer?.promise;
  };
  drain = new SpoolDrain(
    spool,
    write,
    () => log.push('error'),
    () => shipping,
  );
});
afterEach(() => {
  clock.end();
});

const REFUSED = ['put back', 'error'];
const started = () => {
  drain.start();
  return clock.advance(0);
};
const attempts = () => log.filter((it) => it.startsWith('write')).length;

describe('the drain of a spool', () => {
  test('writes what is there, one file after the other, and drops each once it is written', async () => {
    files = [[1, 2], [3]];
    await started();
    expect(log).toEqual(['write 12', 'drop 12', 'write 3', 'drop 3']);
    await drain.idle();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('runs once at a time, and is idle when it has finished', async () => {
    files = [[1]];
    answer = held();
    await started();
    await started();
    let isIdle = false;
    void drain.idle().then(() => (isIdle = true));
    await clock.advance(0);
    expect([log, isIdle]).toEqual([['write 1'], false]);
    answer.resolve();
    await clock.advance(0);
    expect([log, isIdle]).toEqual([['write 1', 'drop 1'], true]);
    files = [[2]];
    await started();
    expect(log).toEqual(['write 1', 'drop 1', 'write 2', 'drop 2']);
  });

  test('waits a turn, so that a caller can add its own row', async () => {
    files = [[1]];
    drain.start();
    files[0]?.push(2);
    await clock.advance(0);
    expect(log).toEqual(['write 12', 'drop 12']);
  });

  test('writes what comes just after its last look', async () => {
    [files, late] = [[[1]], [[2]]];
    await started();
    expect(log).toEqual(['write 1', 'drop 1', 'write 2', 'drop 2']);
  });

  test('asks again later for rows that are counted and not there, and writes nothing meanwhile', async () => {
    files = [[1]];
    isMissing = true;
    await started();
    await clock.advance(19);
    expect([asked, log, vi.getTimerCount()]).toEqual([1, [], 1]);
    await clock.advance(1);
    expect([asked, log, vi.getTimerCount()]).toEqual([2, [], 1]);
    isMissing = false;
    await clock.advance(40);
    expect([log, vi.getTimerCount()]).toEqual([['write 1', 'drop 1'], 0]);
  });

  test('has nothing to ask for later where the files held no row', async () => {
    files = [[1]];
    isMissing = true;
    onAsked = () => (files = []);
    await started();
    expect([asked, log, vi.getTimerCount()]).toEqual([1, [], 0]);
  });

  test('leaves the rows that others write, and stops where only such are left', async () => {
    files = [[1], [2, 3]];
    shipping = 2;
    await started();
    expect(log).toEqual(['write 1', 'drop 1']);
    shipping = 1;
    await started();
    expect(log.slice(2)).toEqual(['write 23', 'drop 23']);
  });
});

describe('the drain to a store that fails', () => {
  test('keeps the rows, and tries again after 20 ms, then after twice that, up to 250 ms', async () => {
    files = [[1]];
    isDown = true;
    await started();
    expect(log).toEqual(['write 1', ...REFUSED]);
    for (const [i, ms] of [20, 40, 80, 160, 250, 250].entries()) {
      await clock.advance(ms - 1);
      expect([ms, attempts()]).toEqual([ms, i + 1]);
      await clock.advance(1);
      expect([ms, attempts()]).toEqual([ms, i + 2]);
    }
    isDown = false;
    await clock.advance(250);
    expect(log.slice(-2)).toEqual(['write 1', 'drop 1']);
    files = [[2]];
    isDown = true;
    const before = attempts();
    await started();
    await clock.advance(20);
    expect(attempts()).toBe(before + 2);
  });

  test('is not started while it waits', async () => {
    files = [[1]];
    isDown = true;
    await started();
    await started();
    expect(attempts()).toBe(1);
    expect(vi.getTimerCount()).toBe(1);
  });
});

describe('the end of a drain', () => {
  test('writes what is left, once, and stops for good', async () => {
    files = [[1], [2]];
    isDown = true;
    await started();
    isDown = false;
    await drain.end();
    expect(vi.getTimerCount()).toBe(0);
    expect(log).toEqual(['write 1', ...REFUSED, 'write 1', 'drop 1', 'write 2', 'drop 2']);
    files = [[3]];
    await started();
    await clock.advance(300);
    expect([log.length, vi.getTimerCount()]).toEqual([7, 0]);
  });

  test('does not try a second time where the store fails', async () => {
    files = [[1]];
    isDown = true;
    await drain.end();
    expect(vi.getTimerCount()).toBe(0);
    await clock.advance(300);
    expect([log, vi.getTimerCount()]).toEqual([['write 1', ...REFUSED], 0]);
  });

  test('waits for what is being written, and writes nothing where nothing is left', async () => {
    files = [[1]];
    answer = held();
    await started();
    let hasEnded = false;
    void drain.end().then(() => (hasEnded = true));
    await clock.advance(0);
    expect(hasEnded).toBe(false);
    answer.resolve();
    await clock.advance(0);
    expect([log, hasEnded]).toEqual([['write 1', 'drop 1'], true]);
  });
});
