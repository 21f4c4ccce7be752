import type { Connection } from './connection.ts';
import { monthInSql } from './months.ts';

/** Versions without partitions; the first has no entries of calls about capsules. */
export const EARLIER_VERSIONS: readonly number[] = [3, 4];

interface Upgrade {
  /** Makes the partitioned tables. */
  readonly tables: string;
  /** Replaces the view that reads them. */
  readonly view: string;
  readonly version: number;
}

/** An intent without its entry, which verification reports, has no month: it stays one in this. */
const STRAY_MONTH = 197_001;

const MONTH = monthInSql('audit_token', 'created_at');

/** Who may read or write the earlier tables may do the same with the new ones. */
const GRANTS = `DO $audit$
DECLARE it record;
BEGIN
  FOR it IN SELECT p.parent, a.privilege_type AS may, CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END AS who
    FROM (VALUES ('entries'), ('intents')) AS p(parent) JOIN pg_class c ON c.oid = to_regclass(p.parent || '_earlier'),
    aclexplode(c.relacl) a WHERE a.grantee <> c.relowner
  LOOP
    EXECUTE format('GRANT %s ON %I TO %s', it.may, it.parent, it.who);
  END LOOP;
END $audit$;`;

/** No row changes: each is copied with its place, and the chains verify as before. */
export const upgrade = ({ tables, view, version }: Upgrade): string => `
LOCK TABLE entries, intents IN ACCESS EXCLUSIVE MODE;
DROP INDEX entries_token, entries_agent, entries_time, entries_closed, entries_session;
ALTER TABLE entries RENAME TO entries_earlier;
ALTER TABLE intents RENAME TO intents_earlier;
${tables}
SELECT audit_add_month(month) FROM (
  SELECT DISTINCT ${MONTH} AS month FROM entries_earlier
  UNION SELECT ${STRAY_MONTH} WHERE EXISTS (SELECT FROM intents_earlier i
    WHERE NOT EXISTS (SELECT FROM entries_earlier e WHERE e.type = 'recall' AND e.id = i.id))
) of;
INSERT INTO entries (month, seq, writer, n, type, id, agent_id, audit_token, created_at, body, hash)
  OVERRIDING SYSTEM VALUE
  SELECT ${MONTH}, seq, writer, n, type, id, agent_id, audit_token, created_at, body, hash FROM entries_earlier;
INSERT INTO intents (month, id, salt, text, raw)
  SELECT COALESCE(e.month, ${STRAY_MONTH}), i.id, i.salt, i.text, i.raw
  FROM intents_earlier i LEFT JOIN entries e ON e.type = 'recall' AND e.id = i.id;
SELECT setval(pg_get_serial_sequence('entries', 'seq'), COALESCE(max(seq), 0) + 1, false) FROM entries;
${GRANTS}
${view}
DROP TABLE entries_earlier, intents_earlier;
INSERT INTO vade_audit VALUES (${version});
ANALYZE entries, intents;`;

/**
 * Shows an audit of an earlier version to this session as one of this version, so that who may only read can verify it.
 * Temporary relations come before all others.
 */
export async function showAsCurrent(connection: Connection): Promise<void> {
  const { rows } = await connection.query<{ place: string }>('SELECT quote_ident(current_schema()) AS place');
  const place = rows[0]?.place ?? 'public';
  await connection.query(`
CREATE TEMP VIEW entries AS SELECT ${MONTH} AS month, e.* FROM ${place}.entries e;
CREATE TEMP VIEW intents AS SELECT COALESCE(e.month, ${STRAY_MONTH}) AS month, i.* FROM ${place}.intents i
  LEFT JOIN pg_temp.entries e ON e.type = 'recall' AND e.id = i.id;`);
}
