import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openJournal } from '../../../../server/audit/queue/journal.ts';
import { openSpool } from '../../../../server/audit/queue/spool.ts';
import type { AuditLog } from '../../../../server/audit/records/log.ts';
import { tempFolder } from '../../../support/folder.ts';
import { fakeStore } from '../fake-store.ts';
import { sign } from '../harness.ts';
import { closing, record, START } from '../records.ts';
import { SEAL } from './spooling.ts';

let fake: ReturnType<typeof fakeStore>;
let folder: string;
let writers = 0;

beforeEach(() => {
  fake = fakeStore();
  folder = join(tempFolder(), 'spool');
});

function journal(maxBytes = 1024 * 1024): AuditLog {
  return openJournal({
    store: fake.store,
    spool: openSpool({
      folder,
      writer: `w${++writers}`,
      maxBytes,
      now: () => START,
      seal: SEAL,
      onAltered: () => undefined,
    }),
    ...{ intents: 'full', isSpooledFirst: true, isUp: true, sign, now: () => START },
    onChange: () => undefined,
    onDelay: () => undefined,
  });
}

const appended = (log: AuditLog, from: number, to: number) =>
  Promise.all(Array.from({ length: to - from + 1 }, (_, i) => log.append(record(from + i))));
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => record(from + i).id);
const spooled = () =>
  readdirSync(folder)
    .filter((it) => it.endsWith('.jsonl'))
    .map((it) => readFileSync(join(folder, it), 'utf8'))
    .join('');
const emptied = (log: AuditLog) =>
  expect.poll(() => log.health(), { timeout: 10_000, interval: 1 }).toMatchObject({ spooled: 0, spooled_bytes: 0 });

/** Resolves once the store was offered what waits in the spool: again, or where it hangs without an answer. */
async function tried(log: AuditLog, mode: 'up' | 'down' | 'hangs'): Promise<void> {
  const before = fake.offers.all;
  await vi.waitFor(
    () => {
      if (log.health().spooled === 0) return;
      if (mode === 'hangs') expect(fake.offers.open).toBeGreaterThan(0);
      else expect(fake.offers.all).toBeGreaterThan(before);
    },
    { timeout: 10_000, interval: 1 },
  );
}

describe('a journal that spools rows first', () => {
  test('a spool-first journal acknowledges spooled rows before the store has them', async () => {
    fake.turn('hangs');
    const log = journal();
    await appended(log, 1, 3);
    expect(fake.ids()).toEqual([]);
    expect(spooled().match(/"row":\["recall"/g)).toHaveLength(3);
    expect(log.health()).toMatchObject({ up: true, spooled: 3, lost: 0 });
    fake.turn('up');
    await emptied(log);
    expect(fake.ids()).toEqual(ids(1, 3));
    await log.end();
  });

  test('the spool keeps no row, and so no intent, that the store has', async () => {
    const log = journal();
    await appended(log, 1, 3);
    await emptied(log);
    expect(spooled()).toBe('');
    await log.end();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('rows that arrive together are stored in one batch', async () => {
    const log = journal();
    await appended(log, 1, 50);
    await emptied(log);
    expect(fake.batches).toEqual([50]);
    await log.end();
  });

  test('isClosed and list include acknowledged rows that the store did not have yet', async () => {
    const log = journal();
    await log.append(record(1));
    await log.close(closing(1));
    expect(await log.isClosed(closing(1).audit_token)).toBe(true);
    await log.append(record(2));
    await log.list('anybody', 10, Number.MAX_SAFE_INTEGER);
    expect(fake.ids()).toContain(record(2).id);
    await log.end();
  });

  test('if the spool is full, rows go directly to the store, and a row that neither accepts counts as lost', async () => {
    const log = journal(1);
    await appended(log, 1, 3);
    expect([fake.ids(), log.health().lost]).toEqual([ids(1, 3), 0]);
    fake.turn('down');
    await expect(log.append(record(4))).rejects.toThrow();
    expect(log.health().lost).toBe(1);
    await log.end();
  });

  test('no acknowledged row is lost if the spool fills up while the store hangs', async () => {
    const log = journal(1500);
    fake.turn('hangs');
    const results = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => log.append(record(i + 1))));
    const acknowledged = ids(1, 8).filter((_, i) => results[i]?.status === 'fulfilled');
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(acknowledged.length).toBeLessThan(8);
    fake.turn('up');
    await log.append(record(9));
    await emptied(log);
    await log.end();
    expect(fake.ids()).toEqual(expect.arrayContaining([...acknowledged, record(9).id]));
  });

  test('the next journal stores the spooled rows of the last one, each row once', async () => {
    const first = journal();
    await appended(first, 1, 2);
    await emptied(first);
    fake.turn('down');
    await appended(first, 3, 6);
    await first.end();
    fake.turn('up');
    const second = journal();
    await appended(second, 7, 8);
    await emptied(second);
    await second.end();
    expect(fake.ids()).toEqual(ids(1, 8));
  });

  test('a row behind rows that a working store leaves without an answer is acknowledged from the spool', async () => {
    const log = journal();
    const offered = (times: number) =>
      expect.poll(() => fake.offers, { timeout: 10_000, interval: 1 }).toEqual({ all: times, open: 1 });
    fake.turn('down');
    await log.append(record(1));
    await expect.poll(() => log.health().up, { timeout: 10_000 }).toBe(false);
    fake.turn('hangs');
    await expect.poll(() => fake.offers.open, { timeout: 10_000 }).toBe(1);
    await log.append(record(2));
    const { all } = fake.offers;
    // row 1 gets its answer, and row 2 none
    fake.turn('hangs');
    await offered(all + 1);
    expect(fake.ids()).toEqual(ids(1, 1));
    await log.append(record(3));
    expect(log.health()).toMatchObject({ spooled: 2, lost: 0 });
    fake.turn('up');
    await emptied(log);
    await log.end();
    expect(fake.ids()).toEqual(ids(1, 3));
  });

  test('every acknowledged row is stored once, in order, for any sequence of failures of the store', async () => {
    const mode = fc.constantFrom('up' as const, 'down' as const, 'hangs' as const);
    const step = fc.record({ mode, rows: fc.nat(12), isTried: fc.boolean() });
    // time goes twenty times as fast for the journal
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const clock = setInterval(() => vi.advanceTimersByTime(20), 1);
    onTestFinished(() => {
      clearInterval(clock);
      vi.useRealTimers();
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        fake = fakeStore();
        folder = join(tempFolder(), 'spool');
        const log = journal();
        let count = 0;
        for (const { mode: to, rows, isTried } of steps) {
          fake.turn(to);
          await appended(log, count + 1, count + rows);
          count += rows;
          await (isTried ? tried(log, to) : setImmediate());
        }
        fake.turn('up');
        await emptied(log);
        await log.end();
        expect(fake.ids()).toEqual(ids(1, count));
        expect(readdirSync(folder)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
