import { refTo } from '../../server/audit/records/names.ts';
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
  const digest = 'a'.repeat(43);
  const chunk = (rank: number) => `json_array('unit-' || ((i * 7 + ${rank}) % 60), 'v1')`;
  const chunks = [1, 2, 3, 4, 5].map(chunk).join(', ');
  const numbers = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < @recalls)';
  const at = `@since + CAST((i - 1) * ((@until - @since) * 1.0 / @recalls) AS INTEGER)`;
  const given = { agentId, entity, recalls, since, until };
  const insert =
    'INSERT INTO entries (writer, n, type, id, agent_id, audit_token, created_at, asked_by, bundle_revision, request, body, hash)';
  const columns = `${refTo("'large'")}, i * 2`;
  db.transaction(() => {
    const name = db.prepare('INSERT INTO names (name) VALUES (?)');
    for (const it of ['large', '7-abc', '{"max_chunks":5}', agentId, entity]) name.run(it);
    db.prepare(
      `${insert} ${numbers} SELECT ${columns}, 'recall', '', ${refTo('@agentId')}, 'audi_large' || i, ${at},
       ${refTo('@entity')}, ${refTo("'7-abc'")}, ${refTo(`'{"max_chunks":5}'`)},
       json_object('answer_digest', '${digest}', 'heartbeat_id', 'run_' || (i / 2), 'heartbeat_source', 'caller',
       'intent_digest', '${digest}', 'loaded_chunks', json_array(${chunks}), 'now', '2026-05-08T12:00:00.000Z',
       'tokens', 300), x'${'aa'.repeat(32)}' FROM n`,
    ).run(given);
    db.prepare(
      `${insert} ${numbers} SELECT ${columns} + 1, 'closing', '', ${refTo('@agentId')}, 'audi_large' || i, ${at} + 1000, NULL, NULL, NULL,
       json_object('missed_chunks', json(iif(i % 10 = 0, '["travel"]', '[]')), 'nothing_fits', json('false'),
       'used_chunks', json_array('unit-' || ((i * 7 + 1) % 60))), x'${'aa'.repeat(32)}' FROM n WHERE i % 2 = 0`,
    ).run(given);
  })();
  for (const { sql } of kept as { readonly sql: string }[]) db.exec(sql);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}
