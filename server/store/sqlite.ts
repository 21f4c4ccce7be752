import Database from 'better-sqlite3';
import type { AuditRecord } from '../../compiler/model/audit.ts';
import type { AuditEntry, AuditLog, ClosingRecord } from './auditlog.ts';

/** A writer that has to wait longer than this gives up; the recall goes on without its row. */
const BUSY_MS = 50;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS recalls (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL,
  heartbeat_id TEXT NOT NULL,
  heartbeat_source TEXT NOT NULL,
  session_start INTEGER NOT NULL,
  intent TEXT NOT NULL,
  request TEXT NOT NULL,
  loaded_chunks TEXT NOT NULL,
  left_out TEXT NOT NULL,
  bundle_revision TEXT NOT NULL,
  audit_token TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS idx_recalls_agent ON recalls (agent_id, seq DESC);
CREATE TABLE IF NOT EXISTS closings (
  audit_token TEXT PRIMARY KEY,
  agent_id TEXT NOT NULL,
  used_chunks TEXT NOT NULL,
  missed_chunks TEXT NOT NULL,
  closed_at INTEGER NOT NULL
);
CREATE TRIGGER IF NOT EXISTS recalls_keep BEFORE UPDATE ON recalls BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER IF NOT EXISTS recalls_stay BEFORE DELETE ON recalls BEGIN SELECT RAISE(ABORT, 'append only'); END;
-- REPLACE deletes without asking a delete trigger, so a second row of a name is refused before it comes to that
CREATE TRIGGER IF NOT EXISTS recalls_once BEFORE INSERT ON recalls
WHEN EXISTS (SELECT 1 FROM recalls WHERE id = NEW.id OR audit_token = NEW.audit_token OR seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER IF NOT EXISTS closings_once BEFORE INSERT ON closings
WHEN EXISTS (SELECT 1 FROM closings WHERE audit_token = NEW.audit_token)
BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER IF NOT EXISTS closings_keep BEFORE UPDATE ON closings BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER IF NOT EXISTS closings_stay BEFORE DELETE ON closings BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE VIEW IF NOT EXISTS instruction_audit AS
SELECT r.id, r.agent_id, r.heartbeat_id, r.session_start, r.intent, r.loaded_chunks,
  COALESCE(c.used_chunks, '[]') AS used_chunks, COALESCE(c.missed_chunks, '[]') AS missed_chunks,
  r.audit_token, c.closed_at AS audit_closed, r.created_at
FROM recalls r LEFT JOIN closings c ON c.audit_token = r.audit_token;
`;

/**
 * The audit in one SQLite file: insert-only tables, and the view `instruction_audit` with the columns of
 * §21.7. In WAL an acknowledged row outlives the process.
 */
export function openSqliteAudit(path: string): AuditLog {
  const db = new Database(path, { timeout: BUSY_MS });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.exec(SCHEMA);
  const insertRecall = db.prepare(
    `INSERT INTO recalls VALUES (NULL, @id, @agent_id, @heartbeat_id, @heartbeat_source, @session_start, @intent, @request,
     @loaded_chunks, @left_out, @bundle_revision, @audit_token, @created_at)`,
  );
  const insertClosing = db.prepare(
    `INSERT INTO closings SELECT @audit_token, @agent_id, @used_chunks, @missed_chunks, @closed_at
     WHERE NOT EXISTS (SELECT 1 FROM closings WHERE audit_token = @audit_token)`,
  );
  const selectClosing = db.prepare('SELECT 1 FROM closings WHERE audit_token = ?');
  const selectEntries = db.prepare(
    `SELECT r.seq, a.* FROM recalls r JOIN instruction_audit a ON a.id = r.id
     WHERE r.agent_id = ? AND r.seq < ? ORDER BY r.seq DESC LIMIT ?`,
  );
  return {
    append: async (record) => void insertRecall.run(toRow(record)),
    isClosed: async (token) => selectClosing.get(token) !== undefined,
    close: async (closing) => void insertClosing.run(toClosingRow(closing)),
    list: async (agentId, limit, before) => (selectEntries.all(agentId, before, limit) as Row[]).map(toEntry),
    archive: async () => undefined,
    health: () => ({ up: true, spooled: 0, spooled_bytes: 0, lag_ms: 0, lost: 0 }),
    end: async () => void db.close(),
  };
}

type Row = AuditEntry & Record<'loaded_chunks' | 'used_chunks' | 'missed_chunks', string>;

function toRow(record: AuditRecord) {
  const { kind: _, wake_reason: _w, content_digests: _c, warnings: _n, now: _t, ...kept } = record;
  return {
    ...kept,
    loaded_chunks: JSON.stringify(record.loaded_chunks),
    left_out: JSON.stringify(record.left_out),
  };
}

function toClosingRow(closing: ClosingRecord) {
  return {
    ...closing,
    used_chunks: JSON.stringify(closing.used_chunks),
    missed_chunks: JSON.stringify(closing.missed_chunks),
  };
}

function toEntry(row: Row): AuditEntry {
  return {
    ...row,
    loaded_chunks: JSON.parse(row.loaded_chunks),
    used_chunks: JSON.parse(row.used_chunks),
    missed_chunks: JSON.parse(row.missed_chunks),
  };
}
