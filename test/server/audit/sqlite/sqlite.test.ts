import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { DaysQuery, SumsQuery } from '../../../../compiler/schema/audit/sums.ts';
import type { AuditStore, StoreOptions } from '../../../../server/audit/records/store.ts';
import { openSqliteLedger, promisifyCalls } from '../../../../server/audit/sqlite/ledger.ts';
import { openSqliteReader } from '../../../../server/audit/sqlite/reader.ts';
import { openSqliteStore } from '../../../../server/audit/sqlite/store.ts';
import { openSqliteWriter } from '../../../../server/audit/sqlite/writer.ts';
import { tempFolder } from '../../../support/folder.ts';
import { chainContract } from '../chain-contract.ts';
import { storeContract } from '../contract.ts';
import type { Place } from '../harness.ts';

function sqlitePlace(open = openSqliteStore): Place {
  const path = join(tempFolder(), 'audit.db');
  const beside = <T>(work: (db: Database.Database) => T): Promise<T> =>
    Promise.resolve(new Database(path)).then((db) => {
      try {
        return work(db);
      } finally {
        db.close();
      }
    });
  return {
    open: (options) => open(path, options),
    ledger: (mode) => Promise.resolve(openSqliteLedger(path, mode)),
    sql: (statement) =>
      beside((db) => {
        const prepared = db.prepare(statement);
        if (prepared.reader) return prepared.all() as Record<string, unknown>[];
        prepared.run();
        return [];
      }),
    tamper: (statements) =>
      beside((db) => {
        const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as {
          name: string;
          sql: string;
        }[];
        for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
        db.exec(statements);
        for (const { sql } of triggers) db.exec(sql);
      }),
  };
}

function inProcess(path: string, options: StoreOptions): Promise<AuditStore> {
  type Called = Exclude<keyof AuditStore, 'hasEnded'>;
  const writer = openSqliteWriter(path, options);
  const { days, sums, arrivals, ...reader } = openSqliteReader(path);
  const end = () => {
    reader.end();
    writer.end();
  };
  const direct = { ...reader, ...writer, end };
  const summing = {
    days: (query: DaysQuery) => days(query),
    sums: (query: SumsQuery) => sums(query),
    arrivals: (query: SumsQuery) => arrivals(query),
  };
  return Promise.resolve(promisifyCalls<{ [K in Called]: AuditStore[K] }>({ ...direct, ...summing }));
}

storeContract('SQLite', () => Promise.resolve(sqlitePlace()));
// the thread is in the contract above; without it these many openings take a fraction of the time
chainContract('SQLite', () => Promise.resolve(sqlitePlace(inProcess)));
