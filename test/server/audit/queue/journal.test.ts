import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openJournal } from '../../../../server/audit/queue/journal.ts';
import { openSpool } from '../../../../server/audit/queue/spool.ts';
import type { AuditLog } from '../../../../server/audit/records/log.ts';
import { tempFolder } from '../../../support/folder.ts';
import { fakeStore } from '../fake-store.ts';
import { sign } from '../harness.ts';
import { record, START } from '../records.ts';
import { SEAL } from './spooling.ts';

let fake: ReturnType<typeof fakeStore>;
let reported: string[];
let folder: string;

beforeEach(() => {
  fake = fakeStore();
  reported = [];
  folder = join(tempFolder(), 'spool');
});

afterEach(() => {
  vi.useRealTimers();
});

/** The store has all the time that it needs: on a busy machine, a row would go to the spool instead. */
function withoutTimeouts(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
}

function journal(maxBytes = 1024 * 1024, now = () => START): AuditLog {
  return openJournal({
    store: fake.store,
    spool: openSpool({ folder, writer: `w${Math.random()}`, maxBytes, now, seal: SEAL, onAltered: () => undefined }),
    ...{ intents: 'full', isSpooledFirst: false, isUp: true, sign, now },
    onChange: (up) => reported.push(up ? 'up' : 'down'),
    onDelay: (what) => reported.push(what),
  });
}

const appended = (log: AuditLog, from: number, to: number) =>
  Promise.all(Array.from({ length: to - from + 1 }, (_, i) => log.append(record(from + i))));
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => record(from + i).id);
const emptied = (log: AuditLog) => expect.poll(() => log.health().spooled, { timeout: 10_000 }).toBe(0);

describe('the journal', () => {
  test('the journal writes in batches: rows that arrive during a write form the next batch', async () => {
    withoutTimeouts();
    const log = journal();
    await appended(log, 1, 50);
    expect(fake.batches).toEqual([1, 49]);
    expect(fake.ids()).toEqual(ids(1, 50));
    expect(log.health()).toEqual({
      up: true,
      spooled: 0,
      spooled_bytes: 0,
      lag_ms: 0,
      lost: 0,
      reading: 0,
      stopped: 0,
    });
    await log.end();
  });

  test.each(['down', 'hangs'] as const)(
    'rows are acknowledged from the spool if the store %s, and stored later',
    async (mode) => {
      const log = journal();
      await appended(log, 1, 3);
      fake.turn(mode);
      await appended(log, 4, 9);
      await appended(log, 10, 12);
      expect(log.health()).toMatchObject({ up: mode === 'hangs', spooled: 9, lost: 0 });
      expect(fake.ids()).toEqual(ids(1, 3));
      fake.turn('up');
      await emptied(log);
      await appended(log, 13, 14);
      expect(fake.ids()).toEqual(ids(1, 14));
      expect(log.health()).toEqual({
        up: true,
        spooled: 0,
        spooled_bytes: 0,
        lag_ms: 0,
        lost: 0,
        reading: 0,
        stopped: 0,
      });
      expect(reported).toEqual(mode === 'hangs' ? [] : ['down', 'up']);
      await log.end();
    },
  );

  test('only rows that neither the store nor the spool accepts are refused, and counted as lost', async () => {
    const line = Buffer.byteLength(JSON.stringify(record(1)));
    const log = journal(3 * line);
    fake.turn('down');
    const settled = await Promise.allSettled(Array.from({ length: 10 }, (_, i) => log.append(record(i))));
    const refused = settled.filter((it) => it.status === 'rejected').length;
    const { spooled, lost } = log.health();
    expect(spooled).toBeGreaterThan(0);
    expect([refused, spooled]).toEqual([lost, 10 - lost]);
    fake.turn('up');
    await emptied(log);
    expect(fake.ids()).toHaveLength(10 - lost);
    await expect(log.append(record(20))).resolves.toBeUndefined();
    await log.end();
  });

  test('a row that was refused but stored later does not count as lost', async () => {
    const log = journal(10);
    fake.turn('hangs');
    await expect(log.append(record(1))).rejects.toThrow('full');
    expect(log.health().lost).toBe(0);
    fake.turn('up');
    await expect.poll(() => fake.ids()).toEqual(ids(1, 1));
    expect(log.health()).toMatchObject({ up: true, lost: 0 });
    fake.turn('down');
    await expect(log.append(record(2))).rejects.toThrow('full');
    expect(log.health().lost).toBe(1);
    await log.end();
  });

  test('the journal writes all pending rows before it ends', async () => {
    withoutTimeouts();
    const log = journal();
    const pending = appended(log, 1, 40);
    await log.end();
    await pending;
    expect(fake.ids()).toEqual(ids(1, 40));
  });

  test('all the documents that wait are archived as soon as the store works again, in their order', async () => {
    const log = journal();
    const document = { kind: 'manifest', agent_id: 'a', name: 'u', token_count: 1, body: '', created_at: 1 } as const;
    fake.turn('down');
    for (const version of ['v1', 'v2', 'v3'])
      await log.archive({ documents: [{ ...document, version }], inForce: [], agents: null, at: 1 });
    expect(reported).toContain('archive');
    fake.turn('up');
    await log.append(record(1));
    await emptied(log);
    await log.end();
    expect(fake.archived).toEqual(['v1', 'v2', 'v3']);
  });

  test('a clock that steps back makes no negative lag, and does not change the order of rows', async () => {
    let at = START;
    const log = journal(1024 * 1024, () => at);
    fake.turn('down');
    await appended(log, 1, 2);
    at -= 3_600_000;
    await appended(log, 3, 4);
    expect(log.health().lag_ms).toBe(0);
    at += 2 * 3_600_000;
    expect(log.health().lag_ms).toBe(3_600_000);
    fake.turn('up');
    await emptied(log);
    expect(fake.ids()).toEqual(ids(1, 4));
    await log.end();
  });
});
