import { appendFileSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { openAudit } from '../../server/audit/open.ts';
import { writeRollbackMemory } from '../../server/audit/rollback-memory.ts';
import { auditPlace, type AuditPlace } from '../server/audit/audit-place.ts';
import { record } from '../server/audit/records.ts';
import { person, staff } from '../support/staff.ts';

let place: AuditPlace;
let anchor: string;

beforeEach(async () => {
  place = await auditPlace();
  anchor = `${place.audit}.anchor.jsonl`;
});

/** Attack of somebody who can write the database alone: all rows are gone, and the server begins anew. */
function emptied(): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${place.audit}${end}`, { force: true });
}

async function problemOf(...args: string[]): Promise<unknown[]> {
  const ran = await place.run('verify', ...args);
  return [ran.code, ran.code === 0 ? null : ran.envelope().error.context['problem']];
}

/** Opens it once more, and answers what was logged of it. */
async function restarted(): Promise<Record<string, unknown>[]> {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'info' },
    { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const audit = await openAudit({ audit: place.audit, now: Date.now }, log);
  await audit.append(record(20));
  await audit.end();
  return lines;
}

const EMPTIED = 'the audit was emptied or replaced: run vade audit verify';
const BEGUN_ANEW = 'the anchor of the audit was missing; a new one was created';

describe('an audit that was emptied and started again', () => {
  test('after an audit was emptied, the next start logs it, and vade audit verify fails', async () => {
    emptied();
    expect((await restarted()).map((it) => it['msg'])).toContain(EMPTIED);
    expect(await problemOf()).toEqual([7, 'missing']);
    // and it goes on failing, however often the server starts
    await restarted();
    expect(await problemOf()).toEqual([7, 'missing']);
  });

  test('vade audit verify fails if an older copy takes the place of the audit', async () => {
    const old = join(place.folder, 'old.db');
    expect((await place.run('backup', '--out', old)).code).toBe(0);
    await restarted();
    emptied();
    copyFileSync(old, place.audit);
    expect(await problemOf()).toEqual([7, 'missing']);
  });

  test('vade audit verify does not miss what retention dropped', async () => {
    expect((await place.run('retain', '--older-than', '1d', '--yes')).code).toBe(0);
    expect(await problemOf()).toEqual([0, null]);
    await restarted();
    expect(await problemOf()).toEqual([0, null]);
  });
});

describe('an anchor that is missing or changed', () => {
  test('vade audit verify reports a missing anchor, until the next start logs it and creates a new one', async () => {
    rmSync(anchor);
    expect(await problemOf()).toEqual([7, 'anchor_missing']);
    expect((await restarted()).map((it) => it['msg'])).toContain(BEGUN_ANEW);
    expect(await problemOf()).toEqual([0, null]);
  });

  test('vade audit verify reports a line of the anchor that no trusted key signed', async () => {
    appendFileSync(anchor, '{"payload":"e30=","payloadType":"x","signatures":[]}\n');
    expect(await problemOf()).toEqual([7, 'anchor_unproven']);
  });

  test('vade audit verify warns about a copy of an audit that has no anchor', async () => {
    copyFileSync(place.audit, join(place.folder, 'copy.db'));
    const ran = await place.run('verify', '--audit', 'copy.db', '--checkpoint-key', `${place.audit}.checkpoint.pub`);
    expect(ran.code).toBe(0);
    expect(ran.envelope().data['witnessed']).toBeNull();
    expect(ran.envelope().warnings).toContainEqual(expect.objectContaining({ code: 'AUDIT_NOT_ANCHORED' }));
  });
});

describe('vade audit verify --against a copy', () => {
  test.each(['backup', 'anchor'])(
    'without database and anchor, vade audit verify --against finds the loss by a kept %s',
    async (kept) => {
      const copy = join(place.folder, 'kept');
      if (kept === 'backup') await place.run('backup', '--out', copy);
      else copyFileSync(anchor, copy);
      expect(await problemOf('--against', copy)).toEqual([0, null]);
      await restarted();
      expect(await problemOf('--against', copy)).toEqual([0, null]);
      emptied();
      rmSync(anchor);
      await restarted();
      expect(await problemOf()).toEqual([0, null]);
      expect(await problemOf('--against', copy)).toEqual([7, 'missing']);
    },
  );

  test('vade audit verify --against an empty or missing file exits with 3', async () => {
    writeFileSync(join(place.folder, 'empty'), '');
    expect((await place.run('verify', '--against', 'none')).code).toBe(3);
    expect((await place.run('verify', '--against', 'empty')).code).toBe(3);
  });
});

describe('the rollback memory', () => {
  const memoryOf = async () => {
    const ran = await place.run('verify');
    return [ran.envelope().data['rollback_memory'], ran.envelope().warnings.map((it) => it.code)];
  };
  const remember = (serial: number) => {
    const digest = '0'.repeat(64);
    const served = { serial, revision: `${serial}-${digest}`, digest, trust: staff([person('ann')]).root };
    writeRollbackMemory(`${place.audit}.seen.json`, new Map([['acme', served]]));
  };

  test('vade audit verify reports a rollback memory that is missing, damaged or older than the audit', async () => {
    expect(await memoryOf()).toEqual(['missing', ['ROLLBACK_MEMORY']]);
    writeFileSync(`${place.audit}.seen.json`, '{');
    expect(await memoryOf()).toEqual(['damaged', ['ROLLBACK_MEMORY']]);
    remember(2);
    expect(await memoryOf()).toEqual(['older', ['ROLLBACK_MEMORY']]);
    remember(7);
    expect(await memoryOf()).toEqual(['kept', []]);
  });
});
