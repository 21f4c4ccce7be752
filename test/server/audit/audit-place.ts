import { join } from 'node:path';
import Database from 'better-sqlite3';
import { pino } from 'pino';
import { openAudit } from '../../../server/audit/open.ts';
import type { AuditLog } from '../../../server/audit/records/log.ts';
import { vade, type Ran } from '../../support/cli.ts';
import { tempFolder } from '../../support/folder.ts';
import { closing, record, START } from './records.ts';

/** An audit file that a server wrote, with the commands of `vade audit`. */
export interface AuditPlace {
  readonly folder: string;
  readonly audit: string;
  /** Opens it again, as a server does. */
  readonly opened: (now?: number) => Promise<AuditLog>;
  /** Appends recalls of one time as one server; the first of them is closed. */
  readonly kept: (numbers: readonly number[], at: number) => Promise<void>;
  readonly run: (...args: string[]) => Promise<Ran>;
  /** Changes the file without its triggers. */
  readonly tampered: (sql: string) => void;
}

/** Three recalls, the first one closed. */
export async function auditPlace(): Promise<AuditPlace> {
  const folder = tempFolder();
  const audit = join(folder, 'audit.db');
  const opened = (now = Date.now()) => openAudit({ audit, now: () => now }, pino({ level: 'silent' }));
  const kept = async (numbers: readonly number[], at: number) => {
    const log = await opened(at);
    for (const i of numbers) await log.append(record(i, { intent: `secret ${i}`, created_at: at }));
    await log.close(closing(numbers[0] ?? 0, { closed_at: at }));
    await log.end();
  };
  await kept([1, 2, 3], START);
  const tampered = (sql: string) => {
    const db = new Database(audit);
    db.exec(`DROP TRIGGER entries_keep; DROP TRIGGER entries_stay; ${sql}`);
    db.close();
  };
  return { folder, audit, opened, kept, run: (...args) => vade(['audit', ...args], folder), tampered };
}
