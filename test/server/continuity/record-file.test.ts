import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openRecords, readRecords, type RecordFormat } from '../../../server/continuity/state/record-file.ts';
import { tempFolder } from '../../support/folder.ts';

const FORMAT: RecordFormat = {
  name: 'notes',
  remedy: 'put another one there',
  application: 7,
  tables: 'CREATE TABLE notes (said TEXT) STRICT;',
};
const NAMED = expect.stringMatching(/^notes\.db, the file of the notes, is of .*: put another one there$/) as string;
const UNAVAILABLE = expect.objectContaining({ code: 'continuity_unusable', message: NAMED }) as Error;

const newPath = () => join(tempFolder(), 'notes.db');

function written(): string {
  const path = newPath();
  const db = openRecords(path, FORMAT);
  db.prepare("INSERT INTO notes (said) VALUES ('kept')").run();
  db.close();
  return path;
}

test('a commit waits for the disk', () => {
  const db = openRecords(newPath(), FORMAT);
  // 2 is FULL
  expect(db.pragma('synchronous', { simple: true })).toBe(2);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  db.close();
});

test.each([0, 2, 9])(
  'a file of format %d is refused by its name, by writers and by readers, and stays as it is',
  (version) => {
    const path = written();
    const db = new Database(path);
    db.pragma(`user_version = ${version}`);
    expect(() => openRecords(path, FORMAT)).toThrow(UNAVAILABLE);
    expect(() => readRecords(path, FORMAT)).toThrow(UNAVAILABLE);
    expect(db.prepare('SELECT said FROM notes').pluck().get()).toBe('kept');
    expect(db.pragma('user_version', { simple: true })).toBe(version);
    db.close();
  },
);

test('a file of another program is refused', () => {
  const path = newPath();
  const other = new Database(path);
  other.exec('CREATE TABLE theirs (a); PRAGMA user_version = 1');
  other.close();
  expect(() => openRecords(path, FORMAT)).toThrow(UNAVAILABLE);
  const damaged = newPath();
  writeFileSync(damaged, 'no database '.repeat(100));
  expect(() => openRecords(damaged, FORMAT)).toThrow();
});

test('a file is opened while another process writes to it', () => {
  const path = written();
  const other = new Database(path);
  other.exec('BEGIN IMMEDIATE');
  expect(() => openRecords(path, FORMAT).close()).not.toThrow();
  other.close();
});

test('without a file there is nothing to read', () => {
  expect(readRecords(newPath(), FORMAT)).toBeNull();
});
