import { openSqliteFile } from '../../server/audit/sqlite/file.ts';

export interface LargeAudit {
  readonly agentId: string;
  readonly entity: string;
  /** Recalls, of which every second one is closed. */
  readonly recalls: number;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly until: number;
}

/**
 * Fills an audit file as years of service would, within seconds: made by SQLite itself, with bodies of the usual size.
 * Its chain holds no hashes: this is for reading.
 */
export function fillAudit(path: string, { agentId, entity, recalls, since, until }: LargeAudit): void {
  const db = openSqliteFile(path);
  db.pragma('synchronous = OFF');
  const kept = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'entries'").all();
  for (const { name } of kept as { readonly name: string }[]) db.exec(`DROP TRIGGER ${name}`);
  const digest = 'a'.repeat(64);
  const chunk = (rank: number) =>
    `json_object('name', 'unit-' || ((i * 7 + ${rank}) % 60), 'rank', ${rank}, 'source', 'stigmem', 'version', 'v1')`;
  const chunks = [1, 2, 3, 4, 5].map(chunk).join(', ');
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @recalls)';
  const at = `@since + CAST((i - 1) * ((@until - @since) * 1.0 / @recalls) AS INTEGER)`;
  const given = { agentId, entity, recalls, since, until };
  const insert = 'INSERT INTO entries (writer, n, type, id, agent_id, audit_token, created_at, body, hash)';
  db.transaction(() => {
    db.prepare(
      `${insert} ${numbers} SELECT 'large', i * 2, 'recall', 'audevent_large' || i, @agentId, 'audi_large' || i, ${at},
       json_object('aborted', json('false'), 'agent_id', @agentId, 'asked_by', @entity, 'audit_token', 'audi_large' || i,
       'bundle_revision', '7-abc', 'candidates', json_array(), 'content_digests', json_array(${Array(5).fill(`'${digest}'`).join(', ')}),
       'created_at', ${at}, 'files_digest', NULL, 'follows', NULL, 'heartbeat_id', 'run_' || (i / 2), 'heartbeat_source', 'caller', 'id', 'audevent_large' || i,
       'intent_digest', '${digest}', 'kind', 'recall', 'left_out', json('[]'), 'loaded_chunks', json_array(${chunks}),
       'now', '2026-05-08T12:00:00.000Z', 'request', '{"max_chunks":5}', 'session_start', ${at}, 'tokens', 300,
       'type', 'recall', 'wake_reason', NULL, 'warnings', json('[]')), '${digest}' FROM n`,
    ).run(given);
    db.prepare(
      `${insert} ${numbers} SELECT 'large', i * 2 + 1, 'closing', 'audi_large' || i, @agentId, 'audi_large' || i, ${at} + 1000,
       json_object('agent_id', @agentId, 'audit_token', 'audi_large' || i, 'created_at', ${at} + 1000,
       'id', 'audi_large' || i, 'missed_chunks', json(iif(i % 10 = 0, '["travel"]', '[]')), 'nothing_fits', json('false'), 'type', 'closing',
       'used_chunks', json_array('unit-' || ((i * 7 + 1) % 60))), '${digest}' FROM n WHERE i % 2 = 0`,
    ).run(given);
  })();
  for (const { sql } of kept as { readonly sql: string }[]) db.exec(sql);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}
