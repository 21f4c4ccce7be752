import type { AuditPageEntry } from '../../../compiler/schema/audit/page.ts';
import { listedEntry, type ListedRow } from '../records/entry.ts';
import { readSqliteFile } from './file.ts';
import { sumsIn, type SqliteSums } from './sums.ts';

/** Reads on a connection of its own: in WAL mode, readers and the writer do not wait for each other. */
export interface SqliteReader extends SqliteSums {
  readonly list: (agentId: string, limit: number, before: number) => AuditPageEntry[];
  readonly end: () => void;
}

/** Opens an existing audit file for reading. @throws Error if it cannot be opened */
export function openSqliteReader(path: string): SqliteReader {
  const db = readSqliteFile(path);
  const selectListed = db.prepare(
    `SELECT r.seq, r.body, i.text AS intent, i.files, c.body AS closing FROM entries r INDEXED BY entries_agent
     LEFT JOIN entries c ON c.type = 'closing' AND c.id = r.audit_token LEFT JOIN intents i ON i.id = r.id
     WHERE r.type = 'recall' AND r.agent_id = ? AND r.seq < ? ORDER BY r.seq DESC LIMIT ?`,
  );
  return {
    list: (agentId, limit, before) => (selectListed.all(agentId, before, limit) as ListedRow[]).map(listedEntry),
    ...sumsIn(db),
    end: () => void db.close(),
  };
}
