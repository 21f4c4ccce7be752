/**
 * Makes a fresh audit one of an earlier version, with the tables that version made: `entries` and `intents` without
 * months. To be run with all triggers disabled.
 */
export function earlierSchema(version: number): string {
  const types = version === 3 ? "'opening', 'recall', 'closing'" : "'opening', 'recall', 'closing', 'capsule'";
  return `
ALTER TABLE entries RENAME TO entries_new;
ALTER TABLE intents RENAME TO intents_new;
DROP VIEW instruction_audit;
CREATE TABLE entries (
  seq bigint GENERATED ALWAYS AS IDENTITY,
  writer text NOT NULL, n bigint NOT NULL, type text NOT NULL CHECK (type IN (${types})), id text NOT NULL,
  agent_id text NOT NULL, audit_token text NOT NULL, created_at bigint NOT NULL, body text NOT NULL, hash text NOT NULL,
  CONSTRAINT entries_earlier_pkey PRIMARY KEY (seq), UNIQUE (type, id), UNIQUE (writer, n)
);
CREATE TABLE intents (id text CONSTRAINT intents_earlier_pkey PRIMARY KEY, salt text NOT NULL, text text NOT NULL, raw bytea);
INSERT INTO entries OVERRIDING SYSTEM VALUE
  SELECT seq, writer, n, type, id, agent_id, audit_token, created_at, body, hash FROM entries_new;
INSERT INTO intents SELECT id, salt, text, raw FROM intents_new;
DROP TABLE entries_new, intents_new;
DROP FUNCTION audit_add_month;
CREATE UNIQUE INDEX entries_token ON entries (audit_token) WHERE type = 'recall';
CREATE INDEX entries_agent ON entries (agent_id, seq) WHERE type = 'recall';
CREATE INDEX entries_time ON entries (agent_id, created_at) WHERE type = 'recall';
CREATE INDEX entries_closed ON entries (agent_id, created_at) WHERE type = 'closing';
CREATE INDEX entries_session ON entries (agent_id, (audit_field(body, 'session_start')::bigint) DESC)
  WHERE type = 'recall';
CREATE VIEW instruction_audit AS
SELECT r.id, r.agent_id, audit_field(r.body, 'heartbeat_id') AS heartbeat_id,
  audit_field(r.body, 'session_start')::bigint AS session_start, COALESCE(i.text, '') AS intent,
  audit_field(r.body, 'loaded_chunks') AS loaded_chunks,
  COALESCE(audit_field(c.body, 'used_chunks'), '[]') AS used_chunks,
  COALESCE(audit_field(c.body, 'missed_chunks'), '[]') AS missed_chunks,
  r.audit_token, c.created_at AS audit_closed, r.created_at,
  audit_field(r.body, 'kind') AS kind, audit_field(r.body, 'aborted')::boolean AS aborted,
  audit_field(r.body, 'warnings') AS warnings, audit_field(r.body, 'left_out') AS left_out
FROM entries r LEFT JOIN entries c ON c.type = 'closing' AND c.id = r.audit_token LEFT JOIN intents i ON i.id = r.id
WHERE r.type = 'recall';
CREATE TRIGGER entries_checked BEFORE DELETE ON entries FOR EACH ROW EXECUTE FUNCTION entries_checked();
ALTER TABLE entries ENABLE ALWAYS TRIGGER entries_checked;
CREATE TRIGGER entries_keep BEFORE UPDATE OR TRUNCATE ON entries EXECUTE FUNCTION audit_refuse();
CREATE TRIGGER intents_keep BEFORE UPDATE OR TRUNCATE ON intents EXECUTE FUNCTION audit_refuse();
ALTER TABLE entries OWNER TO vade;
ALTER TABLE intents OWNER TO vade;
ALTER VIEW instruction_audit OWNER TO vade;
DELETE FROM vade_audit;
INSERT INTO vade_audit VALUES (${version})`;
}
