import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SumsQuery } from '../../../compiler/schema/audit/sums.ts';
import { openAudit } from '../../../server/audit/open.ts';
import { readBack, READING, type ReadingLimits } from '../../../server/audit/read.ts';
import type { AuditLog } from '../../../server/audit/records/log.ts';
import { tempFolder } from '../../support/folder.ts';
import { closing, record, START } from './records.ts';

const DAY_MS = 86_400_000;
// a midnight, so that every day of the window is a whole one
const BEGIN = Math.ceil(START / DAY_MS) * DAY_MS;
const WEEK = { agent: 'cto-id', since: BEGIN, until: BEGIN + 7 * DAY_MS, entities: { 'cto-id': 'acme/agent/cto' } };

let audit: AuditLog;

beforeAll(async () => {
  audit = await openAudit({ audit: join(tempFolder(), 'audit.db'), now: () => START }, pino({ level: 'silent' }));
  // ten on each day but the second
  const rows = [0, 2, 3, 4, 5, 6].flatMap((day) => Array.from({ length: 10 }, (_, i) => BEGIN + day * DAY_MS + i));
  await Promise.all(rows.map((created_at, i) => audit.append(record(i, { created_at }))));
});

afterAll(() => audit.end());

/** Reads, and returns the windows that the store was asked to aggregate. */
async function read(over: Partial<typeof WEEK> = {}, limits: Partial<ReadingLimits> = {}, from = audit) {
  const [seen, asked]: [string[], number[]] = [[], []];
  const source = {
    days: from.days,
    arrivals: from.arrivals,
    sums: (...given: Parameters<AuditLog['sums']>) => {
      asked.push(given[0].since);
      return from.sums(...given);
    },
  };
  const sink = { addSums: (_: unknown, { day }: { day: string }) => void seen.push(day) };
  const result = await readBack(source, { ...WEEK, ...over }, sink, { ...READING, ...limits });
  return { ...result, seen, asked };
}

describe('§21.5.3 aggregating an audit', () => {
  test('aggregating reads every day with rows, the newest first, and no day without rows', async () => {
    const { rows, complete, from, seen, asked } = await read();
    expect([rows, complete, from]).toEqual([60, true, BEGIN]);
    expect([seen, asked.length]).toEqual([[...new Set(seen)].sort().reverse(), 6]);
  });

  test('aggregating stops after a whole day at its memory limit, and returns from when on it is complete', async () => {
    // every recall is a heartbeat of its own here
    const { rows, complete, from } = await read({}, { heartbeats: 15 });
    expect([rows, complete, from]).toEqual([20, false, BEGIN + 5 * DAY_MS]);
  });

  test('aggregating stops after a whole day at its time limit, and returns what it has read', async () => {
    let days = 0;
    const slow: AuditLog = {
      ...audit,
      sums: async (query, signal) => {
        days += 1;
        if (days < 3) return audit.sums(query, signal);
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            reject(new Error('stopped'));
          });
        });
      },
    };
    const { rows, complete, from } = await read({}, { ms: 500 }, slow);
    expect([rows, complete, from]).toEqual([20, false, BEGIN + 5 * DAY_MS]);
  });

  test('aggregating an unknown agent reads no row, and a window of a millisecond reads its row', async () => {
    expect(await read({ agent: 'nobody' })).toMatchObject({ rows: 0, complete: true });
    expect(await read({ until: BEGIN + 1 })).toMatchObject({ rows: 1, complete: true });
  });

  test('a day is cached until a row or a closing is added to it or to a day near it', async () => {
    const asked: number[] = [];
    const counted = {
      days: audit.days,
      arrivals: audit.arrivals,
      sums: (...it: Parameters<AuditLog['sums']>) => (asked.push(it[0].since), audit.sums(...it)),
    };
    const rows = async () => {
      asked.length = 0;
      const sums = { used: 0, addSums: (it: { readonly used: number }) => (sums.used += it.used) };
      const { rows: found } = await readBack(counted, WEEK, sums);
      return { found, used: sums.used, asked: asked.map((it) => (it - BEGIN) / DAY_MS) };
    };
    expect((await rows()).asked).toEqual([6, 5, 4, 3, 2, 0]);
    expect(await rows()).toEqual({ found: 60, used: 0, asked: [] });
    // a late row, as after an outage: it may follow one of the day before, and one of the day after may follow it
    await audit.append(record(100, { created_at: BEGIN + 2 * DAY_MS + 99 }));
    expect(await rows()).toEqual({ found: 61, used: 0, asked: [3, 2, 0] });
    // a closing changes the day of its recall, although it has another day
    await audit.close(closing(50, { closed_at: BEGIN + 6 * DAY_MS + 5 }));
    const closed = await rows();
    expect([closed.found, closed.used, closed.asked.includes(6)]).toEqual([61, 1, true]);
    expect((await rows()).asked).toEqual([]);
  });

  test('arrivals are read once, of the whole window', async () => {
    const queries: unknown[] = [];
    const source = { ...audit, arrivals: (query: SumsQuery) => (queries.push(query), Promise.resolve([])) };
    await readBack(source, WEEK, { addSums: () => undefined });
    const { entities, since, until } = WEEK;
    expect(queries).toEqual([{ entities, since, until }]);
  });

  test('aggregating is refused if the audit cannot be read, and works again afterwards', async () => {
    const broken = { ...audit, days: () => Promise.reject(new Error('the disk failed')) };
    await expect(read({}, {}, broken)).rejects.toMatchObject({ code: 'recall_backend_unavailable' });
    expect((await read()).complete).toBe(true);
  });

  test('aggregating is refused if the caller has disconnected', async () => {
    await expect(read({}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'recall_backend_unavailable',
    });
    expect(audit.health()).toMatchObject({ reading: 0, stopped: 1 });
  });
});
