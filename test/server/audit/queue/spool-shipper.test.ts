import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SpoolShipper } from '../../../../server/audit/queue/spool-shipper.ts';
import type { Spool } from '../../../../server/audit/queue/spool.ts';
import type { NewEntry } from '../../../../server/audit/records/store.ts';
import { closed, recalled } from '../memory-ledger.ts';
import { record } from '../records.ts';
import { fakeClock, held, type Held } from './clock.ts';

let clock: ReturnType<typeof fakeClock>;
let log: string[];
let isFull: boolean;
/** Answers of the store, one for each write. */
let answers: Held[];
let shipper: SpoolShipper;

beforeEach(() => {
  clock = fakeClock();
  [log, isFull, answers] = [[], false, []];
  const spool = {
    add: (rows: readonly NewEntry[]) => {
      if (isFull) throw new Error('full');
      log.push(`spool ${rows.length}`);
    },
    stored: (rows: number) => void log.push(`stored ${rows}`),
  } as unknown as Spool;
  const write = (rows: readonly NewEntry[]) => {
    log.push(`write ${rows.length} from ${rows[0]?.audit_token.slice(5).padStart(3, '0').slice(-3)}`);
    const answer = held();
    answers.push(answer);
    return answer.promise;
  };
  shipper = new SpoolShipper(spool, write, () => log.push('failed'));
});
afterEach(() => {
  clock.end();
});

const rows = (from: number, count: number) => Array.from({ length: count }, (_, i) => recalled(from + i));
const answer = async (error?: Error) => {
  const next = answers.shift();
  if (error) next?.reject(error);
  else next?.resolve();
  await clock.advance(0);
};
/** Lines that were logged since the last call. */
const taken = () => log.splice(0);
/** Whether the shipper has caught up, asked now and read later. */
const catching = () => {
  const state = { isDone: false };
  void shipper.caughtUp().then(() => (state.isDone = true));
  return state;
};

describe('the shipper of a spool', () => {
  test('gathers rows for 5 ms, writes them at once, and removes them from the spool once they are written', async () => {
    expect([shipper.rows, shipper.since]).toEqual([0, null]);
    shipper.add(rows(1, 2));
    shipper.add([closed(3)]);
    expect([shipper.rows, shipper.since]).toEqual([3, record(1).created_at]);
    await clock.advance(19);
    expect(taken()).toEqual(['spool 2', 'spool 1']);
    await clock.advance(1);
    expect(taken()).toEqual(['write 3 from 001']);
    await answer();
    expect([taken(), shipper.rows, shipper.since, vi.getTimerCount()]).toEqual([['stored 3'], 0, null, 0]);
    shipper.add(rows(4, 1));
    await clock.advance(20);
    expect(taken()).toEqual(['spool 1', 'write 1 from 004']);
  });

  test('writes 500 rows without delay, and the rest after them', async () => {
    shipper.add(rows(1, 499));
    await clock.advance(0);
    expect(taken()).toEqual(['spool 499']);
    await clock.advance(20);
    shipper.add(rows(500, 500));
    await answer();
    expect(taken()).toEqual(['write 499 from 001', 'spool 500', 'stored 499', 'write 500 from 500']);
    shipper.add(rows(1000, 1));
    await answer();
    expect([taken(), shipper.rows]).toEqual([['spool 1', 'stored 500'], 1]);
    await clock.advance(20);
    expect(taken()).toEqual(['write 1 from 000']);
  });

  test('writes nothing that it forgot before, and removes nothing that it forgot meanwhile', async () => {
    shipper.add(rows(1, 1));
    shipper.forget();
    await clock.advance(20);
    expect([taken(), shipper.rows]).toEqual([['spool 1'], 0]);
    shipper.add(rows(2, 1));
    await clock.advance(20);
    shipper.forget();
    shipper.add(rows(3, 2));
    await answer();
    expect([taken(), shipper.rows]).toEqual([['spool 1', 'write 1 from 002', 'spool 2'], 2]);
    await clock.advance(20);
    await answer();
    expect([taken(), shipper.rows]).toEqual([['write 2 from 003', 'stored 2'], 0]);
  });

  test('has caught up once the rows are written that waited when it was asked, whatever came later', async () => {
    await clock.until(shipper.caughtUp());
    shipper.add(rows(1, 2));
    await clock.advance(20);
    const first = catching();
    shipper.add(rows(3, 1));
    const all = catching();
    await clock.advance(0);
    expect([first, all]).toEqual([{ isDone: false }, { isDone: false }]);
    await answer();
    expect([first, all]).toEqual([{ isDone: true }, { isDone: false }]);
    await clock.advance(20);
    await answer();
    expect(all).toEqual({ isDone: true });
  });
});
