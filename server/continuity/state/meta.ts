import type { Database as Connection } from 'better-sqlite3';

/** The state's data about itself, by name. */
export function metaTable(db: Connection) {
  const select = db.prepare('SELECT value FROM meta WHERE name = ?').pluck();
  const insert = db.prepare('INSERT OR REPLACE INTO meta VALUES (?, ?)');
  const remove = db.prepare('DELETE FROM meta WHERE name = ?');
  return {
    get: (name: 'tip' | 'epoch') => (select.get(name) as string | undefined) ?? null,
    set: (name: 'tip' | 'epoch', value: string) => void insert.run(name, value),
    forget: (name: 'tip' | 'epoch') => void remove.run(name),
  };
}

export type MetaTable = ReturnType<typeof metaTable>;
