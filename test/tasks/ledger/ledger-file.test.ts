import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { openLedgerFile } from '../../../compiler/tasks/ledger/ledger-file.ts';
import { tempFolder } from '../../support/folder.ts';

test('a ledger is marked as one of vade, in its first version, and survives a loss of power', () => {
  const path = join(tempFolder(), 'deep/ledger.db');
  const db = openLedgerFile(path);
  const of = (name: string) => db.pragma(name, { simple: true });
  expect([of('application_id'), of('user_version')]).toEqual([0x5661_6465, 1]);
  expect([of('journal_mode'), of('synchronous'), of('busy_timeout')]).toEqual(['delete', 2, 10_000]);
  db.close();
  const again = openLedgerFile(path);
  expect(again.prepare('SELECT COUNT(*) FROM rows').pluck().get()).toBe(0);
  again.close();
});

test('a ledger of a later version, of another program and a folder in its place are refused', () => {
  const folder = tempFolder();
  const altered = (name: string, pragma: string) => {
    const path = join(folder, name);
    openLedgerFile(path).close();
    const db = new Database(path);
    db.pragma(pragma);
    db.close();
    return path;
  };
  expect(() => openLedgerFile(altered('later.db', 'user_version = 2'))).toThrow();
  expect(() => openLedgerFile(altered('other.db', 'application_id = 7'))).toThrow();
  mkdirSync(join(folder, 'folder.db'));
  expect(() => openLedgerFile(join(folder, 'folder.db'))).toThrow();
  openLedgerFile(altered('same.db', 'user_version = 1')).close();
});
