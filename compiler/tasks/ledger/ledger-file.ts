import { lstatSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Database as Connection } from 'better-sqlite3';
import { openDatabaseFile } from '../../io/files/database-file.ts';
import { isNewDatabase, markKind } from '../../io/files/database-kind.ts';

const LEDGER = { application: 0x5661_6465, version: 1 };

/** Several processes may write; each holds the lock for milliseconds. */
const BUSY_MS = 10_000;

const refuse = "SELECT RAISE(ABORT, 'append only')";

const SCHEMA = `
CREATE TABLE rows (
  seq INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  body TEXT NOT NULL,
  seal BLOB
) STRICT;
CREATE INDEX rows_agent ON rows (agent_id, seq);
CREATE UNIQUE INDEX rows_spawn ON rows (agent_id) WHERE kind = 'spawn';
CREATE TRIGGER rows_keep BEFORE UPDATE ON rows BEGIN ${refuse}; END;
CREATE TRIGGER rows_stay BEFORE DELETE ON rows BEGIN ${refuse}; END;
CREATE TRIGGER rows_once BEFORE INSERT ON rows
WHEN EXISTS (SELECT 1 FROM rows WHERE seq = NEW.seq) BEGIN ${refuse}; END;
${markKind(LEDGER)}`;

/**
 * Opens a ledger, and creates the tables of a new one. With a rollback journal and `synchronous = FULL`, a row that was
 * appended survives a loss of power, and a process that is killed leaves nothing half written.
 *
 * @throws Error if it cannot be opened, is a link, or is another database
 */
export function openLedgerFile(path: string): Connection {
  mkdirSync(dirname(path), { recursive: true });
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a regular file');
  return openDatabaseFile(path, {
    isPrivate: false,
    timeout: BUSY_MS,
    isNew: (db) => isNewDatabase(db, LEDGER),
    pragmas: ['journal_mode = DELETE', 'synchronous = FULL'],
    tables: SCHEMA,
  });
}
