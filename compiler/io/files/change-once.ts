import type { Database } from 'better-sqlite3';

/**
 * Changes a database as the only writer, if it still has to be changed then, such as one without its tables. One that
 * needs nothing is not locked: who opens it would wait for another process that writes without a pause.
 */
export function changeOnce(db: Database, isDue: () => boolean, change: () => unknown): void {
  if (!isDue()) return;
  db.transaction(() => {
    // another process may have changed it meanwhile
    if (isDue()) change();
  }).immediate();
}
