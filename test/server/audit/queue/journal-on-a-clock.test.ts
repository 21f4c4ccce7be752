import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openJournal } from '../../../../server/audit/queue/journal.ts';
import type { AuditLog } from '../../../../server/audit/records/log.ts';
import type { AuditStore } from '../../../../server/audit/records/store.ts';
import { tempFolder } from '../../../support/folder.ts';
import { fakeStore } from '../fake-store.ts';
import { sign } from '../harness.ts';
import { closing, record, START } from '../records.ts';
import { fakeClock, held } from './clock.ts';
import { MIB, opened } from './spooling.ts';

let clock: ReturnType<typeof fakeClock>;
let fake: ReturnType<typeof fakeStore>;
let folder: string;
let reported: string[];

beforeEach(() => {
  clock = fakeClock();
  [fake, folder, reported] = [fakeStore(), tempFolder(), []];
});
afterEach(() => {
  clock.end();
});

function journal(isSpooledFirst: boolean, over: Partial<AuditStore> = {}, maxBytes = 8 * MIB): AuditLog {
  return openJournal({
    store: { ...fake.store, ...over },
    spool: opened(folder, 'w1', maxBytes),
    ...{ intents: 'full', isSpooledFirst, isUp: true, sign, now: () => START },
    onChange: (up) => reported.push(up ? 'up' : 'down'),
    onDelay: (what) => reported.push(what),
  });
}

/** State of a promise so far. */
function watched(promise: Promise<unknown>) {
  const state = { is: 'open' };
  promise.then(
    () => (state.is = 'done'),
    () => (state.is = 'refused'),
  );
  return state;
}
const ids = (...numbers: readonly number[]) => numbers.map((i) => record(i).id);

describe('a journal that writes to the store first', () => {
  test('spools a row after 50 ms without an answer, and so the row behind it', async () => {
    const log = journal(false);
    fake.turn('hangs');
    for (const i of [1, 2]) {
      const state = watched(log.append(record(i)));
      await clock.advance(49);
      expect([state.is, log.health().spooled]).toEqual(['open', i - 1]);
      await clock.advance(1);
      expect([state.is, log.health().spooled]).toEqual(['done', i]);
    }
    // behind a row that nobody has read yet there is no way but the spool
    const third = watched(log.append(record(3)));
    await clock.advance(0);
    expect([third.is, log.health().spooled, fake.ids()]).toEqual(['done', 3, []]);
    fake.turn('up');
    await clock.advance(300);
    expect([fake.ids(), log.health().spooled]).toEqual([ids(1, 2, 3), 0]);
    await clock.until(log.end());
  });

  test('delays rows by 50 ms where more than 500 wait for a store that counts as up, and only there', async () => {
    const log = journal(false);
    fake.turn('hangs');
    for (const i of [1, 2]) await clock.until(log.append(record(i)));
    const early = Array.from({ length: 499 }, (_, i) => watched(log.append(record(3 + i))));
    await clock.advance(0);
    expect(early.filter(({ is }) => is === 'done')).toHaveLength(499);
    const next = watched(log.append(record(502)));
    await clock.advance(49);
    expect(next.is).toBe('open');
    await clock.advance(1);
    expect(next.is).toBe('done');
    await clock.advance(1000);
    expect(log.health().up).toBe(false);
    const down = watched(log.append(record(503)));
    await clock.advance(0);
    expect(down.is).toBe('done');
    fake.turn('up');
    await clock.advance(300);
    await clock.until(log.end());
    expect(fake.ids()).toHaveLength(503);
  });

  test('notices at a row that the store is silent for a second', async () => {
    const log = journal(false);
    fake.turn('hangs');
    await clock.until(log.append(record(1)));
    await clock.advance(1000);
    await clock.until(log.append(record(2)));
    expect(reported).toEqual(['down']);
    fake.turn('up');
    await clock.advance(300);
    await clock.until(log.end());
  });

  test('ends after 10 s with a store that hangs, and leaves its rows to the next start', async () => {
    const log = journal(false);
    fake.turn('hangs');
    await clock.until(log.append(record(1)));
    const end = watched(log.end());
    await clock.advance(9999);
    expect(end.is).toBe('open');
    await clock.advance(1);
    expect(end.is).toBe('done');
    expect(opened(folder, 'w2').rows()).toBe(1);
  });

  test('does not say that a recall is open while a closing may wait', async () => {
    const log = journal(false, { isClosed: () => Promise.resolve(false) });
    expect(await log.isClosed('audi_1')).toBe(false);
    fake.turn('down');
    await clock.until(log.close(closing(1)));
    await expect(log.isClosed('audi_1')).rejects.toThrow('wait');
    fake.turn('up');
    await clock.advance(300);
    expect(await log.isClosed('audi_1')).toBe(false);
    await clock.until(log.end());
  });
});

describe('a journal that spools first', () => {
  test.each([
    ['as soon as the batch on its way is stored', 'up'],
    ['after 50 ms while the store gives no answer', 'hangs'],
  ] as const)('a spooled row with more than 500 before it is acknowledged %s', async (_, mode) => {
    const log = journal(true);
    fake.turn('hangs');
    const early = Array.from({ length: 500 }, (__, i) => watched(log.append(record(1 + i))));
    await clock.advance(20);
    expect(early.filter(({ is }) => is === 'done')).toHaveLength(500);
    const next = watched(log.append(record(501)));
    await clock.advance(10);
    expect(next.is).toBe('open');
    fake.turn(mode);
    await clock.advance(mode === 'up' ? 0 : 40);
    expect(next.is).toBe('done');
    fake.turn('up');
    await clock.until(log.end());
    expect(fake.ids()).toHaveLength(501);
  });

  test('hands rows that the store refuses to the drain, which needs no other row', async () => {
    const log = journal(true);
    fake.turn('down');
    await clock.until(log.append(record(1)));
    await clock.advance(20);
    fake.turn('up');
    await clock.advance(300);
    expect([fake.ids(), log.health()]).toMatchObject([ids(1), { spooled: 0, up: true, lost: 0 }]);
    await clock.until(log.end());
  });

  test('knows the closings that wait, and no others', async () => {
    const log = journal(true, { isClosed: () => Promise.resolve(false) });
    fake.turn('hangs');
    await clock.until(log.close(closing(1)));
    expect([await log.isClosed('audi_1'), await log.isClosed('audi_2')]).toEqual([true, false]);
    fake.turn('up');
    await clock.until(log.end());
  });

  test.each(['list', 'days'] as const)('answers %s once the rows that wait are stored', async (what) => {
    const answer = [{}] as never[];
    const log = journal(true, { list: () => Promise.resolve(answer), days: () => Promise.resolve(answer) });
    await clock.until(log.append(record(1)));
    const asked = what === 'list' ? log.list('a', 1, 1) : log.days({} as never);
    const state = watched(asked);
    await clock.advance(19);
    expect([state.is, fake.ids()]).toEqual(['open', []]);
    await clock.advance(1);
    expect([await asked, fake.ids()]).toEqual([answer, ids(1)]);
    await clock.until(log.end());
  });

  test('counts what is being read, and what was stopped, until the store lets go', async () => {
    const [days, sums] = [held<never[]>(), held<never>()];
    const log = journal(true, { days: () => days.promise, sums: () => sums.promise });
    const stop = new AbortController();
    const states = [watched(log.days({} as never, stop.signal)), watched(log.sums({} as never, stop.signal))];
    await clock.advance(0);
    expect(log.health()).toMatchObject({ reading: 2, stopped: 0 });
    days.reject(new Error('broken'));
    await clock.advance(0);
    expect([log.health(), states]).toMatchObject([{ reading: 1, stopped: 0 }, [{ is: 'refused' }, { is: 'open' }]]);
    stop.abort();
    sums.reject(new Error('stopped'));
    await clock.advance(0);
    expect(log.health()).toMatchObject({ reading: 0, stopped: 1 });
    await clock.until(log.end());
  });

  test('is as far behind as its oldest row is old', async () => {
    const log = journal(true);
    fake.turn('hangs');
    await clock.until(log.append(record(-2)));
    expect(log.health()).toMatchObject({ spooled: 1, lag_ms: 2000 });
    fake.turn('up');
    await clock.until(log.end());
    expect(fake.ids()).toEqual(ids(-2));
  });

  test('counts a row as lost that finds the spool full and the store behind', async () => {
    const log = journal(true, {}, 1000);
    fake.turn('down');
    await clock.until(log.append(record(1)));
    await clock.advance(20);
    const second = watched(log.append(record(2)));
    await clock.advance(0);
    expect([second.is, log.health().lost, log.health().spooled]).toEqual(['refused', 1, 1]);
    fake.turn('up');
    await clock.advance(300);
    await clock.until(log.end());
    expect(fake.ids()).toEqual(ids(1));
  });
});
