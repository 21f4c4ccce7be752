import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { capsuleEntry } from '../../../../server/audit/records/entry.ts';
import { openSqliteFile, readSqliteFile } from '../../../../server/audit/sqlite/file.ts';
import { SCHEMA } from '../../../../server/audit/sqlite/schema.ts';
import { openSqliteWriter } from '../../../../server/audit/sqlite/writer.ts';
import { tempFolder } from '../../../support/folder.ts';
import { CAPSULE_CALL } from '../records.ts';

const OPTIONS = { writer: 'w', intents: 'full', openedAt: 0 } as const;

/** A file as the version before wrote it. */
function earlierFile(): string {
  const path = join(tempFolder(), 'audit.db');
  const db = new Database(path);
  db.exec(SCHEMA.replaceAll(", 'capsule'", '').replace(/user_version = \d+/, 'user_version = 3'));
  db.close();
  return path;
}

test('a file of the version before is upgraded where it is opened for writing, and takes calls about capsules', () => {
  const path = earlierFile();
  const writer = openSqliteWriter(path, OPTIONS);
  expect(writer.append([capsuleEntry(CAPSULE_CALL)]).n).toBe(2);
  writer.end();
  const db = new Database(path);
  expect(db.pragma('user_version', { simple: true })).toBe(4);
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(() => db.exec("INSERT INTO entries VALUES (9, 'w', 9, 'other', 'x', 'a', '', 1, '{}', 'h')")).toThrow('CHECK');
  expect(() => db.exec('DELETE FROM entries')).toThrow('append only');
  db.close();
});

test('a file of this version is opened while another process writes to it', () => {
  const path = join(tempFolder(), 'audit.db');
  openSqliteFile(path).close();
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  expect(() => openSqliteFile(path).close()).not.toThrow();
  other.close();
});

test('a file of the version before is read as it is', () => {
  const path = earlierFile();
  const db = readSqliteFile(path);
  expect(db.pragma('user_version', { simple: true })).toBe(3);
  db.close();
});
