import { escapeIdentifier } from 'pg';
import { nameOf, refTo } from '../records/names.ts';
import type { Connection } from './connection.ts';
import { addMonthFunction } from './months.ts';
import { VIEWS } from './views.ts';

/** The version in table `vade_audit` for this schema. */
const SCHEMA_VERSION = 2;

/** Rows of the table cannot change, for any user; `ALWAYS` applies to replication roles too. */
const insertOnly = (table: string) => `
CREATE TRIGGER ${table}_keep BEFORE UPDATE OR TRUNCATE ON ${table} EXECUTE FUNCTION audit_refuse();
ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_keep;`;

const never = (table: string) => `
CREATE TRIGGER ${table}_stay BEFORE DELETE ON ${table} EXECUTE FUNCTION audit_refuse();
ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_stay;`;

interface Condition {
  readonly event: 'INSERT' | 'DELETE';
  readonly table: string;
  /** The table that has to contain a row for which `where` is true. */
  readonly other: string;
  readonly where: (names: string) => string;
  readonly otherwise: string;
}

/**
 * The other table is named with its schema; otherwise the `search_path` of a session could substitute another table.
 */
const onlyWith = (place: string, { event, table, other, where, otherwise }: Condition) => `
CREATE OR REPLACE FUNCTION ${table}_checked() RETURNS trigger LANGUAGE plpgsql AS $audit$
BEGIN
  IF NOT EXISTS (SELECT FROM ${place}.${other} WHERE ${where(`${place}.names`)}) THEN
    RAISE EXCEPTION '${otherwise}' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN ${event === 'INSERT' ? 'NEW' : 'OLD'};
END $audit$;
CREATE TRIGGER ${table}_checked BEFORE ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_checked();
ALTER TABLE ${table} ENABLE ALWAYS TRIGGER ${table}_checked;`;

const point = (table: string) => `
CREATE TABLE ${table} (
  writer text NOT NULL,
  n bigint NOT NULL,
  hash text NOT NULL,
  at bigint NOT NULL,
  envelope text NOT NULL,
  PRIMARY KEY (writer, n)
);`;

/** The types of entries. */
const TYPES = "'opening', 'recall', 'closing', 'capsule', 'arrival'";

/**
 * A partition a month, of entries and of their intents: retention drops whole ones, and a question about some days
 * reads no others. The month is last in each index, so that one finds what it did without partitions. `raw` has the
 * bytes of an intent that contains NUL, which text in PostgreSQL cannot contain. Wide columns come first, because
 * PostgreSQL pads rows otherwise.
 */
const PARTITIONED = `
CREATE TABLE entries (
  seq bigint GENERATED ALWAYS AS IDENTITY,
  n bigint NOT NULL,
  created_at bigint NOT NULL,
  month integer NOT NULL,
  writer integer NOT NULL,
  agent_id integer NOT NULL,
  asked_by integer,
  bundle_revision integer,
  request integer,
  type text NOT NULL CHECK (type IN (${TYPES})),
  id text NOT NULL,
  audit_token text NOT NULL,
  body text NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (seq, month),
  UNIQUE (writer, n, month)
) PARTITION BY LIST (month);
CREATE UNIQUE INDEX entries_id ON entries (type, id, month) WHERE id <> '';
CREATE UNIQUE INDEX entries_closing ON entries (audit_token, month) WHERE type = 'closing';
CREATE UNIQUE INDEX entries_token ON entries (audit_token, month) WHERE type = 'recall';
CREATE INDEX entries_agent ON entries (agent_id, seq) WHERE type = 'recall';
CREATE INDEX entries_time ON entries (agent_id, created_at) INCLUDE (seq) WHERE type = 'recall';
CREATE INDEX entries_closed ON entries (agent_id, created_at) INCLUDE (seq) WHERE type = 'closing';
CREATE INDEX entries_arrived ON entries (agent_id, created_at) WHERE type = 'arrival';
CREATE INDEX entries_session ON entries (audit_name(agent_id), COALESCE(audit_field(body, 'session_start')::bigint, created_at) DESC)
  WHERE type = 'recall';
CREATE INDEX entries_follows ON entries (audit_field(body, 'follows'))
  WHERE type = 'recall' AND audit_field(body, 'follows') IS NOT NULL;

CREATE TABLE intents (
  month integer NOT NULL,
  seq bigint NOT NULL,
  salt text NOT NULL,
  text text NOT NULL,
  raw bytea,
  files text,
  PRIMARY KEY (seq, month)
) PARTITION BY LIST (month);
`;

const TABLES = `
CREATE TABLE documents (
  seq bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CHECK (kind IN ('manifest', 'stub')),
  agent_id text NOT NULL,
  version text NOT NULL,
  name text NOT NULL,
  token_count bigint NOT NULL,
  body text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (kind, agent_id, version, name)
);
CREATE TABLE activations (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  agent_id text NOT NULL,
  version text,
  at bigint NOT NULL
);
CREATE INDEX activations_agent ON activations (agent_id, seq);
${point('checkpoints')}${point('retired')}
CREATE TABLE vade_audit (version integer NOT NULL);
INSERT INTO vade_audit VALUES (${SCHEMA_VERSION});
`;

/** JSON may escape characters that text in PostgreSQL cannot contain, NUL and lone surrogates; they become U+FFFD. */
const READABLE = String.raw`CASE WHEN strpos(body, '\u') = 0 THEN body
    ELSE regexp_replace(body, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1\\ufffd', 'gi') END::json`;

/** The expression is repeated, because a function in an index must not call another one by an unqualified name. */
const FUNCTIONS = String.raw`
CREATE FUNCTION audit_json(body text) RETURNS json LANGUAGE sql IMMUTABLE AS $$ SELECT ${READABLE} $$;
CREATE FUNCTION audit_field(body text, field text) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT ${READABLE} ->> field $$;
CREATE FUNCTION audit_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'append only' USING ERRCODE = 'restrict_violation'; END $$;
`;

const ENTRIES_STAY: Condition = {
  event: 'DELETE',
  table: 'entries',
  other: 'retired',
  where: (names) => `writer = ${nameOf('OLD.writer', names)} AND n >= OLD.n`,
  otherwise: 'append only',
};

const CONDITIONS: readonly Condition[] = [
  {
    ...{ event: 'INSERT', table: 'checkpoints', other: 'entries', otherwise: 'no such entry' },
    where: (names) => `writer = ${refTo('NEW.writer', names)} AND n = NEW.n AND encode(hash, 'hex') = NEW.hash`,
  },
  {
    ...{ event: 'INSERT', table: 'retired', other: 'checkpoints', otherwise: 'no such checkpoint' },
    where: () => 'writer = NEW.writer AND n = NEW.n AND hash = NEW.hash',
  },
];

/** A name never changes: so an index may have it, by which the view finds the newest sessions of an agent. */
const named = (place: string) => `
CREATE TABLE names (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);
CREATE FUNCTION audit_name(ref integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT name FROM ${place}.names WHERE id = ref $$;
`;

/** The partitioned tables with what guards them. */
const partitioned = (place: string) =>
  [PARTITIONED, addMonthFunction(place), ...['entries', 'intents'].map(insertOnly), onlyWith(place, ENTRIES_STAY)].join(
    '',
  );

const triggers = (place: string) =>
  [
    ...['names', 'documents', 'activations', 'checkpoints', 'retired', 'vade_audit'].map(insertOnly),
    ...['names', 'documents', 'activations', 'checkpoints', 'retired', 'vade_audit'].map(never),
    ...CONDITIONS.map((it) => onlyWith(place, it)),
  ].join('');

/** Tables and views of the current schema, except partitions and those of extensions. */
const RELATIONS = `SELECT relname AS name FROM pg_class c
  WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relkind IN ('r', 'p', 'v', 'm', 'f')
  AND NOT relispartition
  AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
  ORDER BY relname LIMIT 100`;

/** The columns of each table; another layout lacks some of them, whatever its version. */
const COLUMNS: Readonly<Record<string, string>> = {
  names: 'id name',
  entries: 'month seq writer n type id agent_id asked_by bundle_revision request audit_token created_at body hash',
  intents: 'month seq salt text raw files',
  documents: 'seq kind agent_id version name token_count body created_at',
  activations: 'seq agent_id version at',
  checkpoints: 'writer n hash at envelope',
  retired: 'writer n hash at envelope',
};

/** The first of the columns in `$1`, each after its table and a dot, that the tables of the current schema lack. */
const MISSING_COLUMN = `SELECT unnest($1::text[]) AS name EXCEPT SELECT c.relname || '.' || a.attname
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped
  WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
  AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY name LIMIT 1`;

/**
 * Creates missing tables; instances that start together wait for each other. If the tables exist, nothing is written,
 * and the right to create tables is not needed.
 *
 * @param create whether to create tables in an empty database, or to refuse it
 * @throws Error if the database contains other tables, or an audit of another version or layout
 */
export async function ensureSchema(connection: Connection, create: boolean): Promise<void> {
  const place = await placeOf(connection, create);
  if (create) await connection.query("SELECT pg_advisory_xact_lock(hashtextextended('vade-audit schema', 0))");
  const found = (await connection.query<{ name: string }>(RELATIONS)).rows.map((it) => it.name);
  if (found.includes('vade_audit')) return assertLayout(connection);
  if (found.length > 0)
    throw new Error(`it is another database, with the tables ${found.slice(0, 3).join(', ')}: ${NEW_DATABASE}`);
  if (!create) throw new Error('it contains no audit');
  await connection.query(`${FUNCTIONS}${named(place)}${partitioned(place)}${TABLES}${triggers(place)}${VIEWS}`);
}

const NEW_DATABASE = 'name a new database, or use the program that made this one';

/** @throws Error if it is an audit of another version or layout, with the reason and what to do */
async function assertLayout(connection: Connection): Promise<void> {
  const versions = 'SELECT max(version) AS version FROM vade_audit';
  const version = (await connection.query<{ version: number | null }>(versions)).rows[0]?.version ?? 0;
  if (version !== SCHEMA_VERSION)
    throw new Error(`it has version ${version}, this vade reads version ${SCHEMA_VERSION}: ${NEW_DATABASE}`);
  const needed = Object.entries(COLUMNS).flatMap(([table, names]) => names.split(' ').map((it) => `${table}.${it}`));
  const [missing] = (await connection.query<{ name: string }>(MISSING_COLUMN, [needed])).rows;
  if (missing) throw new Error(`its tables have another layout, without ${missing.name}: ${NEW_DATABASE}`);
}

/** The current schema, as an identifier. @throws Error unless it is in UTF-8, in which bodies keep their bytes */
async function placeOf(connection: Connection, toWrite: boolean): Promise<string> {
  const { rows } = await connection.query<{ encoding: string; standby: boolean; place: string | null }>(
    "SELECT current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS standby, current_schema() AS place",
  );
  const { encoding, standby, place } = rows[0] ?? { encoding: '', standby: false, place: null };
  if (encoding !== 'UTF8') throw new Error(`its encoding is ${encoding}, not UTF8`);
  if (standby && toWrite) throw new Error('it is a standby, which accepts no rows');
  if (place === null) throw new Error('no schema of its search_path exists');
  return escapeIdentifier(place);
}
