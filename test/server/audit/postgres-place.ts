import { Client } from 'pg';
import { openPostgresLedger } from '../../../server/audit/postgres/ledger.ts';
import { openPostgresStore } from '../../../server/audit/postgres/store.ts';
import type { Databases } from '../../support/postgres-cluster.ts';
import type { Place } from './harness.ts';

/** Runs one statement on a connection of its own. */
export async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const TRIGGERS = `SELECT tgrelid::regclass::text AS table, tgname AS name FROM pg_trigger WHERE NOT tgisinternal`;

/** A PostgreSQL database for the contract tests. */
export function postgresPlace(cluster: Databases, url: string): Place {
  return {
    open: (options) => openPostgresStore(url, options),
    ledger: (mode) => openPostgresLedger(url, mode),
    sql: (statement) => query(url, statement),
    tamper: async (statements) => {
      const triggers = await query(url, TRIGGERS);
      const set = (how: string) =>
        triggers
          .map((it) => `ALTER TABLE IF EXISTS ${String(it['table'])} ${how} TRIGGER ${String(it['name'])};`)
          .join('');
      await query(cluster.asAdmin(url), `BEGIN; ${set('DISABLE')} ${statements}; ${set('ENABLE ALWAYS')} COMMIT`);
    },
  };
}
