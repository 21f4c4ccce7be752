import { join } from 'node:path';
import type * as Threads from 'node:worker_threads';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { openAudit } from '../../../../server/audit/open.ts';
import { tempFolder } from '../../../support/folder.ts';
import { record } from '../records.ts';

/** The threads that were started, so that the test can terminate one. */
const threads = vi.hoisted(() => [] as Threads.Worker[]);

vi.mock('node:worker_threads', async (importOriginal) => {
  const original = await importOriginal<typeof Threads>();
  class Watched extends original.Worker {
    constructor(...given: ConstructorParameters<typeof Threads.Worker>) {
      super(...given);
      threads.push(this);
    }
  }
  return { ...original, Worker: Watched };
});

afterEach(() => {
  threads.length = 0;
});

test('§21.5 a thread that died is replaced, and later rows are stored once each', async () => {
  const audit = join(tempFolder(), 'audit.db');
  const log = await openAudit({ audit, now: Date.now }, pino({ enabled: false }));
  await log.append(record(1));
  await expect.poll(() => log.health().spooled, { timeout: 10_000 }).toBe(0);
  const [thread] = threads;
  await thread?.terminate();
  await log.append(record(2));
  await log.append(record(3));
  await expect.poll(() => log.health(), { timeout: 10_000 }).toMatchObject({ up: true, spooled: 0, lost: 0 });
  const listed = await log.list(record(1).agent_id, 10, Number.MAX_SAFE_INTEGER);
  expect(listed.map((it) => it.id).sort()).toEqual([1, 2, 3].map((i) => record(i).id).sort());
  await log.end();
});
