import { markKind } from '../../../compiler/io/files/database-kind.ts';
import { DOCUMENT_VIEWS } from '../records/document-views.ts';
import { GENERATED_HEARTBEAT, nameOf, refTo } from '../records/names.ts';

/** The audits with these tables. */
export const AUDIT = { application: 0x5661_6461, version: 2 };

const refuse = "SELECT RAISE(ABORT, 'append only')";

/**
 * Rows of the table cannot change. REPLACE deletes without firing a delete trigger, so inserting a duplicate is
 * refused.
 */
const insertOnly = (table: string, twin: string) => `
CREATE TRIGGER ${table}_keep BEFORE UPDATE ON ${table} BEGIN ${refuse}; END;
CREATE TRIGGER ${table}_once BEFORE INSERT ON ${table}
WHEN EXISTS (SELECT 1 FROM ${table} WHERE ${twin}) BEGIN ${refuse}; END;`;

const never = (table: string) => `
CREATE TRIGGER ${table}_stay BEFORE DELETE ON ${table} BEGIN ${refuse}; END;`;

/** Signed statements about a chain up to one of its entries. */
const points = (table: string) => `
CREATE TABLE ${table} (
  writer TEXT NOT NULL,
  n INTEGER NOT NULL,
  hash TEXT NOT NULL,
  at INTEGER NOT NULL,
  envelope TEXT NOT NULL,
  PRIMARY KEY (writer, n)
) STRICT;
`;

/** The types of entries. */
const TYPES = "'opening', 'recall', 'closing', 'capsule', 'arrival'";

/** Writers, agents, callers, revisions and requests are references to `names`. */
const TABLES = `
CREATE TABLE names (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE entries (
  seq INTEGER PRIMARY KEY,
  writer INTEGER NOT NULL,
  n INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN (${TYPES})),
  id TEXT NOT NULL,
  agent_id INTEGER NOT NULL,
  asked_by INTEGER,
  bundle_revision INTEGER,
  request INTEGER,
  audit_token TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  hash BLOB NOT NULL,
  UNIQUE (writer, n)
) STRICT;
CREATE UNIQUE INDEX entries_id ON entries (type, id) WHERE id <> '';
CREATE UNIQUE INDEX entries_token ON entries (audit_token) WHERE type = 'recall';
CREATE UNIQUE INDEX entries_closing ON entries (audit_token) WHERE type = 'closing';
CREATE INDEX entries_agent ON entries (agent_id, seq) WHERE type = 'recall';
CREATE INDEX entries_time ON entries (agent_id, created_at) WHERE type = 'recall';
CREATE INDEX entries_closed ON entries (agent_id, created_at) WHERE type = 'closing';
CREATE INDEX entries_arrived ON entries (agent_id, created_at) WHERE type = 'arrival';
CREATE INDEX entries_session ON entries (agent_id, COALESCE(body ->> '$.session_start', created_at) DESC) WHERE type = 'recall';
CREATE INDEX entries_follows ON entries (body ->> '$.follows')
  WHERE type = 'recall' AND body ->> '$.follows' IS NOT NULL;
CREATE INDEX entries_opening ON entries (writer) WHERE type = 'opening';

CREATE TABLE intents (seq INTEGER PRIMARY KEY, salt TEXT NOT NULL, text TEXT NOT NULL, files TEXT) STRICT;

CREATE TABLE documents (
  kind TEXT NOT NULL CHECK (kind IN ('manifest', 'stub')),
  agent_id TEXT NOT NULL,
  version TEXT NOT NULL,
  name TEXT NOT NULL,
  token_count INTEGER NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (kind, agent_id, version, name)
) STRICT;

CREATE TABLE activations (
  seq INTEGER PRIMARY KEY,
  agent_id TEXT NOT NULL,
  version TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX activations_agent ON activations (agent_id, seq);

${points('checkpoints')}${points('retired')}`;

const TRIGGERS = `
${insertOnly(
  'entries',
  `seq = NEW.seq OR (id <> '' AND type = NEW.type AND id = NEW.id) OR (writer = NEW.writer AND n = NEW.n)
   OR (type = 'recall' AND NEW.type = 'recall' AND audit_token = NEW.audit_token)
   OR (type = 'closing' AND NEW.type = 'closing' AND audit_token = NEW.audit_token)`,
)}
${insertOnly('names', 'id = NEW.id OR name = NEW.name')}${never('names')}
CREATE TRIGGER entries_stay BEFORE DELETE ON entries
WHEN NOT EXISTS (SELECT 1 FROM retired WHERE writer = ${nameOf('OLD.writer')} AND n >= OLD.n) BEGIN ${refuse}; END;
${insertOnly('intents', 'seq = NEW.seq')}
${insertOnly(
  'documents',
  'kind = NEW.kind AND agent_id = NEW.agent_id AND version = NEW.version AND name = NEW.name',
)}${never('documents')}
${insertOnly('activations', 'seq = NEW.seq')}${never('activations')}
${insertOnly('checkpoints', 'writer = NEW.writer AND n = NEW.n')}${never('checkpoints')}
CREATE TRIGGER checkpoints_true BEFORE INSERT ON checkpoints
WHEN NOT EXISTS (SELECT 1 FROM entries WHERE writer = ${refTo('NEW.writer')} AND n = NEW.n AND hash = unhex(NEW.hash))
BEGIN SELECT RAISE(ABORT, 'no such entry'); END;
${insertOnly('retired', 'writer = NEW.writer AND n = NEW.n')}${never('retired')}
CREATE TRIGGER retired_true BEFORE INSERT ON retired
WHEN NOT EXISTS (SELECT 1 FROM checkpoints WHERE writer = NEW.writer AND n = NEW.n AND hash = NEW.hash)
BEGIN SELECT RAISE(ABORT, 'no such checkpoint'); END;
`;

/**
 * §21.7: the documented columns, times in milliseconds; an erased intent is empty. `instruction_audit` has eight more
 * columns at the end: without them an aborted heartbeat looks like one without preloads, and a choice among candidates
 * like two recalls. The version in force is the
 * one activated last, which after a rollback is not the one written last.
 */
const VIEWS = `
CREATE VIEW instruction_audit AS
SELECT 'audevent_' || substr(r.audit_token, 6, 26) AS id, a.name AS agent_id,
  COALESCE(r.body ->> '$.heartbeat_id', ${GENERATED_HEARTBEAT}) AS heartbeat_id,
  COALESCE(r.body ->> '$.session_start', r.created_at) AS session_start, COALESCE(i.text, '') AS intent,
  (SELECT json_group_array(json_object('name', x.value ->> 0, 'rank', x.key + 1,
    'source', COALESCE(x.value ->> 2, 'stigmem'), 'version', x.value ->> 1) ORDER BY x.key)
    FROM json_each(r.body, '$.loaded_chunks') x) AS loaded_chunks,
  COALESCE(c.body -> '$.used_chunks', '[]') AS used_chunks, COALESCE(c.body -> '$.missed_chunks', '[]') AS missed_chunks,
  r.audit_token, c.created_at AS audit_closed, r.created_at,
  COALESCE(r.body ->> '$.kind', 'recall') AS kind, COALESCE(r.body ->> '$.aborted', 0) AS aborted,
  COALESCE(r.body -> '$.warnings', '[]') AS warnings,
  (SELECT json_group_array(json_object('name', y.value, 'outcome', x.value ->> 0) ORDER BY x.key, y.key)
    FROM json_each(r.body, '$.left_out') x, json_each(x.value) y WHERE y.key > 0) AS left_out,
  r.body ->> '$.follows' AS follows, COALESCE(r.body -> '$.candidates', '[]') AS candidates,
  COALESCE(c.body ->> '$.nothing_fits', 0) AS nothing_fits, COALESCE(i.files, '[]') AS files
FROM entries r
JOIN names a ON a.id = r.agent_id
LEFT JOIN entries c ON c.type = 'closing' AND c.audit_token = r.audit_token
LEFT JOIN intents i ON i.seq = r.seq
WHERE r.type = 'recall';

${DOCUMENT_VIEWS}`;

/** Insert-only tables, with the views of §21.7. */
export const SCHEMA = `${TABLES}${TRIGGERS}${VIEWS}${markKind(AUDIT)}`;
