import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openSqliteFile, readSqliteFile } from '../../../../server/audit/sqlite/file.ts';
import { AUDIT, SCHEMA } from '../../../../server/audit/sqlite/schema.ts';
import { tempFolder } from '../../../support/folder.ts';

test('a file of this version is opened while another process writes to it', () => {
  const path = join(tempFolder(), 'audit.db');
  openSqliteFile(path).close();
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  expect(() => openSqliteFile(path).close()).not.toThrow();
  other.close();
});

test.each([
  [
    'an audit of another layout, under the number of this one',
    `${SCHEMA}PRAGMA application_id = 0`,
    /another database/,
  ],
  ['an audit without an application id or a version', 'CREATE TABLE recalls (id TEXT)', /another database/],
  ['the file of another application', 'CREATE TABLE rows (id TEXT); PRAGMA application_id = 7', /another database/],
  ['an audit of a later version', `${SCHEMA}PRAGMA user_version = ${AUDIT.version + 1}`, /has version \d+, this vade/],
])('%s is refused with what to do, and not changed', (_, tables, reason) => {
  const path = join(tempFolder(), 'audit.db');
  new Database(path).exec(tables).close();
  const before = readFileSync(path);
  for (const open of [openSqliteFile, readSqliteFile]) {
    expect(() => open(path)).toThrow(reason);
    expect(() => open(path)).toThrow('move it elsewhere; vade then creates a new one');
  }
  expect(readFileSync(path)).toEqual(before);
});
