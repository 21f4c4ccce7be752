import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openRecords, readRecords, type RecordFormat } from '../../../server/continuity/state/record-file.ts';
import { tempFolder } from '../../support/folder.ts';

const FIRST: RecordFormat = {
  name: 'notes',
  application: 7,
  version: 1,
  tables: 'CREATE TABLE notes (said TEXT) STRICT;',
  upgrades: {},
};
const THIRD: RecordFormat = {
  ...FIRST,
  version: 3,
  tables: 'CREATE TABLE notes (said TEXT, at INTEGER, by TEXT) STRICT;',
  upgrades: { 1: 'ALTER TABLE notes ADD COLUMN at INTEGER;', 2: 'ALTER TABLE notes ADD COLUMN by TEXT;' },
};
const UNAVAILABLE = expect.objectContaining({ code: 'continuity_unavailable' }) as Error;

const newPath = () => join(tempFolder(), 'notes.db');

function written(format: RecordFormat, path = newPath()): string {
  const db = openRecords(path, format);
  db.prepare("INSERT INTO notes (said) VALUES ('kept')").run();
  db.close();
  return path;
}

test('a commit waits for the disk', () => {
  const db = openRecords(newPath(), FIRST);
  // 2 is FULL
  expect(db.pragma('synchronous', { simple: true })).toBe(2);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  db.close();
});

test('a file of an earlier format is brought to this one, step by step, and keeps its rows', () => {
  const path = written(FIRST);
  expect(readRecords(path, THIRD)).toBeNull();
  const db = openRecords(path, THIRD);
  expect(db.prepare('SELECT * FROM notes').all()).toEqual([{ said: 'kept', at: null, by: null }]);
  db.close();
  expect(readRecords(path, THIRD)?.close()).toBeDefined();
});

test('a file of a later format is refused, by writers and by readers, and stays as it is', () => {
  const path = written(THIRD);
  expect(() => openRecords(path, FIRST)).toThrow(UNAVAILABLE);
  expect(() => readRecords(path, FIRST)).toThrow(UNAVAILABLE);
  expect(readRecords(path, THIRD)?.prepare('SELECT said FROM notes').pluck().get()).toBe('kept');
});

test('a file of another program is refused', () => {
  const path = newPath();
  const other = new Database(path);
  other.exec('CREATE TABLE theirs (a); PRAGMA user_version = 1');
  other.close();
  expect(() => openRecords(path, FIRST)).toThrow(UNAVAILABLE);
  const damaged = newPath();
  writeFileSync(damaged, 'no database '.repeat(100));
  expect(() => openRecords(damaged, FIRST)).toThrow();
});

test('a file is opened while another process writes to it', () => {
  const path = written(FIRST);
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  expect(() => openRecords(path, FIRST).close()).not.toThrow();
  other.close();
});

test('without a file there is nothing to read', () => {
  expect(readRecords(newPath(), FIRST)).toBeNull();
});
