import type { Database as Connection } from 'better-sqlite3';
import {
  applyCommand,
  type ScheduleChange,
  type ScheduleCommand,
} from '../../../compiler/continuity/schedule/command.ts';
import type { CreatedItem } from '../../../compiler/continuity/schedule/create.ts';
import { secondsOf, type ScheduleOccasion } from '../../../compiler/continuity/schedule/item.ts';
import type { StoredItem } from '../../../compiler/continuity/schema/schedule/item.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { canonicalJson } from '../../../compiler/trust/canonical.ts';
import { isStillAt, openRecords, readRecords } from '../state/record-file.ts';
import { judged } from '../store/judged.ts';
import { SCHEDULE } from './format.ts';
import { itemOf, type ItemRow } from './schedule-reader.ts';

/** The schedule of one owner, open for changes. */
export interface ScheduleWriter {
  /**
   * Applies a command as the only writer of all processes; what it answers survives a loss of power.
   *
   * @throws what the command throws, Error if it cannot be kept
   */
  readonly change: (command: ScheduleCommand, occasion: ScheduleOccasion) => ScheduleChange;
  /** Whether there was none, and an empty one was made. */
  readonly wasMissing: boolean;
  /** Whether the file that is open is that of its path. */
  readonly isCurrent: () => boolean;
  readonly end: () => void;
}

/** Columns that a change of an item can change. */
const MUTABLE = [
  ...['kind', 'status', 'title', 'note', 'due_at', 'due_at_ts', 'updated_at', 'updated_by'],
  ...['terminal_at', 'terminal_by', 'terminal_reason', 'task_id', 'thread_id', 'subject_kind', 'subject_id'],
  ...['metadata', 'version'],
];

/** Columns that are written once. */
const FIXED = [
  ...['schedule_id', 'created_at', 'created_by', 'idempotency_key'],
  ...['create_identity_json', 'create_identity_hash'],
];

const INSERT = `INSERT INTO items (${[...FIXED, ...MUTABLE].join(', ')})
VALUES (${[...FIXED, ...MUTABLE].map((it) => `@${it}`).join(', ')})`;

const REPLACE = `UPDATE items SET ${MUTABLE.map((it) => `${it} = @${it}`).join(', ')} WHERE schedule_id = @schedule_id`;

/** @throws continuity_unusable, Error if it cannot be opened */
export function openScheduleWriter(path: string): ScheduleWriter {
  const wasMissing = isMissing(path);
  const db = openRecords(path, SCHEDULE);
  const insert = db.prepare(INSERT);
  const replace = db.prepare(REPLACE);
  const stored = { byId: knownBy(db, 'schedule_id'), byKey: knownBy(db, 'idempotency_key') };
  const apply = db.transaction((command: ScheduleCommand, occasion: ScheduleOccasion): ScheduleChange => {
    const next = judged(() => applyCommand(command, stored, occasion));
    if (next.kind === 'insert') insert.run({ ...columnsOf(next.item), ...next.proposed.identity });
    if (next.kind === 'replace') replace.run(columnsOf(next.item));
    return next;
  });
  const change: ScheduleWriter['change'] = (command, occasion) => apply.immediate(command, occasion);
  const isCurrent = isStillAt(path);
  return { change, wasMissing, isCurrent, end: () => void db.close() };
}

/** Whether there is none, or an empty file of one that was never made. */
function isMissing(path: string): boolean {
  const db = readRecords(path, SCHEDULE);
  db?.close();
  return db === null;
}

function knownBy(db: Connection, column: 'schedule_id' | 'idempotency_key') {
  const select = db.prepare(`SELECT * FROM items WHERE ${column} = ?`);
  return (value: string): CreatedItem | null => {
    const row = select.get(value) as ItemRow | undefined;
    if (row === undefined) return null;
    const item = itemOf(row);
    if (item === null) throw new VadeError('continuity_unusable', 'the item that is stored cannot be read');
    const text = (name: string) => String(row[name]);
    const identity = {
      create_identity_json: text('create_identity_json'),
      create_identity_hash: text('create_identity_hash'),
    };
    return { item, identity };
  };
}

function columnsOf(item: StoredItem): ItemRow {
  return { ...item, due_at_ts: secondsOf(item.due_at), metadata: canonicalJson(item.metadata) };
}
