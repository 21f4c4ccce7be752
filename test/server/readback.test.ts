import { join } from 'node:path';
import { pino } from 'pino';
import { beforeAll, afterAll, describe, expect, test } from 'vitest';
import { openAudit } from '../../server/auditing.ts';
import { readBack } from '../../server/readback.ts';
import type { AuditLog } from '../../server/store/auditlog.ts';
import { record, START } from '../store/records.ts';
import { tempFolder } from '../support/folder.ts';

const HOUR_MS = 3_600_000;
const WEEK = { agent: 'cto-id', since: START, until: START + 168 * HOUR_MS };

let audit: AuditLog;

beforeAll(async () => {
  audit = await openAudit({ audit: join(tempFolder(), 'audit.db'), now: () => START }, pino({ level: 'silent' }));
  // ten an hour in the last ten hours, and the oldest hour once more
  const hours = [...Array.from({ length: 10 }, (_, i) => 158 + i), 0];
  const rows = hours.flatMap((hour) => Array.from({ length: 10 }, (_, i) => START + hour * HOUR_MS + i));
  await Promise.all(rows.map((created_at, i) => audit.append(record(i, { created_at }))));
});

afterAll(() => audit.end());

async function read(rows: number, over: Partial<typeof WEEK> = {}) {
  const seen: number[] = [];
  const limits = { rows, ms: 60_000 };
  const told = await readBack(audit, { ...WEEK, ...over }, (it) => void seen.push(it.created_at), limits);
  return { ...told, seen };
}

describe('§21.5.3 reading an audit back beside the recalls', () => {
  test('is complete where the window is small enough, from its beginning on', async () => {
    const { rows, complete, from, seen } = await read(1000);
    expect([rows, complete, from, new Set(seen).size]).toEqual([110, true, START, 110]);
  });

  test('stops at whole parts once it has read enough, the newest first, and says from when on it is whole', async () => {
    const { rows, complete, from, seen } = await read(25);
    expect([rows, complete, from]).toEqual([30, false, START + 165 * HOUR_MS]);
    expect(Math.min(...seen)).toBe(from);
  });

  test('breaks off a part that is far too much by itself, and tells it as not read', async () => {
    const { rows, complete, from } = await read(5);
    expect([rows, complete, from]).toEqual([10, false, START + 168 * HOUR_MS]);
  });

  test('of nobody, or of a moment, reads what is there', async () => {
    expect(await read(10, { agent: 'nobody' })).toMatchObject({ rows: 0, complete: true });
    expect(await read(10, { until: START + 1 })).toMatchObject({ rows: 1, complete: true });
  });

  test('one after the other, however many ask at once', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => read(1000)));
    expect(all.map((it) => it.rows)).toEqual([110, 110, 110, 110, 110]);
  });

  test('is refused where the audit cannot be read, and the next one is not', async () => {
    const broken = { ...audit, answers: () => Promise.reject(new Error('the disk is gone')) };
    await expect(readBack(broken, WEEK, () => undefined)).rejects.toMatchObject({ code: 'recall_backend_unavailable' });
    expect((await read(1000)).rows).toBe(110);
  });
});
