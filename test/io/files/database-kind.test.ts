import { join } from 'node:path';
import SQLite, { type Database } from 'better-sqlite3';
import { expect, test } from 'vitest';
import { isNewDatabase, markKind } from '../../../compiler/io/files/database-kind.ts';
import { tempFolder } from '../../support/folder.ts';

const KIND = { application: 7, version: 1 };

test('a database that another process makes meanwhile is one of its kind, whenever it is looked at', () => {
  const file = join(tempFolder(), 'audit.db');
  const [db, other] = [new SQLite(file), new SQLite(file)];
  const make = () => other.exec(`BEGIN; CREATE TABLE a (b); ${markKind(KIND)} COMMIT;`);
  let questions = 0;
  // after each of the questions that tell whether it is new, the other one makes it
  const meanwhile = (asked: number): Database => {
    const between = <T>(answer: T): T => {
      questions += 1;
      if (questions === asked) make();
      return answer;
    };
    return {
      pragma: (...args: Parameters<Database['pragma']>) => between(db.pragma(...args)),
      prepare: (sql: string) => ({ pluck: () => ({ get: () => between(db.prepare(sql).pluck().get()) }) }),
    } as unknown as Database;
  };
  expect(isNewDatabase(meanwhile(1), KIND)).toBe(false);
  expect(isNewDatabase(db, KIND)).toBe(false);
  db.close();
  other.close();
});
