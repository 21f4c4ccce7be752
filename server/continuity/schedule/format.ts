import type { RecordFormat } from '../state/record-file.ts';

/**
 * The items of one owner. What a creation said never changes, because by it the same creation is known again. Indexes
 * of pending items find what is due without reading the rest.
 */
export const SCHEDULE: RecordFormat = {
  name: 'schedule',
  remedy: 'restore one that this release has written',
  // "VSch"
  application: 0x56536368,
  tables: `
CREATE TABLE migrations (version INTEGER PRIMARY KEY, applied_at TEXT NOT NULL) STRICT;
INSERT INTO migrations VALUES (1, strftime('%Y-%m-%dT%H:%M:%SZ', 'now'));
CREATE TABLE items (
  schedule_id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'acknowledged', 'done', 'retired')),
  title TEXT NOT NULL,
  note TEXT,
  due_at TEXT NOT NULL,
  due_at_ts INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  created_by TEXT NOT NULL,
  updated_by TEXT NOT NULL,
  terminal_at TEXT,
  terminal_by TEXT,
  terminal_reason TEXT,
  task_id TEXT,
  thread_id TEXT,
  subject_kind TEXT,
  subject_id TEXT,
  idempotency_key TEXT UNIQUE,
  metadata TEXT NOT NULL,
  version INTEGER NOT NULL,
  create_identity_json TEXT NOT NULL,
  create_identity_hash TEXT NOT NULL CHECK (length(create_identity_hash) = 64),
  CHECK ((subject_kind IS NULL) = (subject_id IS NULL)),
  CHECK ((status = 'pending') = (terminal_at IS NULL))
) STRICT;
CREATE INDEX items_due ON items (due_at_ts, schedule_id);
CREATE INDEX items_of_task ON items (task_id, due_at_ts, schedule_id) WHERE status = 'pending';
CREATE INDEX items_of_thread ON items (thread_id, due_at_ts, schedule_id) WHERE status = 'pending';
CREATE INDEX items_of_subject ON items (subject_kind, subject_id, due_at_ts, schedule_id) WHERE status = 'pending';
CREATE TRIGGER created_once
BEFORE UPDATE OF schedule_id, idempotency_key, created_at, created_by, create_identity_json, create_identity_hash ON items
BEGIN
  SELECT RAISE(ABORT, 'what a creation said does not change');
END;
`,
};
