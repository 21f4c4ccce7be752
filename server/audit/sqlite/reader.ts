import type { AuditPageEntry } from '../../../compiler/schema/audit/page.ts';
import { listedEntry, type RecallRow } from '../records/entry.ts';
import { RECALL_ROW, refTo } from '../records/names.ts';
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
    `SELECT ${RECALL_ROW} FROM entries r INDEXED BY entries_agent
     LEFT JOIN entries c ON c.type = 'closing' AND c.audit_token = r.audit_token LEFT JOIN intents i ON i.seq = r.seq
     WHERE r.type = 'recall' AND r.agent_id = ${refTo('?')} AND r.seq < ? ORDER BY r.seq DESC LIMIT ?`,
  );
  return {
    list: (agentId, limit, before) => (selectListed.all(agentId, before, limit) as RecallRow[]).map(listedEntry),
    ...sumsIn(db),
    end: () => void db.close(),
  };
}
