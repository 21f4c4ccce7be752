import { markKind } from '../../../compiler/io/files/database-kind.ts';
import { DOCUMENT_VIEWS } from '../records/document-views.ts';

/** The audits with these tables. */
export const AUDIT = { application: 0x5661_6461, version: 1 };

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

const TABLES = `
CREATE TABLE entries (
  seq INTEGER PRIMARY KEY,
  writer TEXT NOT NULL,
  n INTEGER NOT NULL,
  type TEXT NOT NULL CHECK (type IN (${TYPES})),
  id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  audit_token TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  hash TEXT NOT NULL,
  UNIQUE (type, id),
  UNIQUE (writer, n)
) STRICT;
CREATE UNIQUE INDEX entries_token ON entries (audit_token) WHERE type = 'recall';
CREATE INDEX entries_agent ON entries (agent_id, seq) WHERE type = 'recall';
CREATE INDEX entries_time ON entries (agent_id, created_at) WHERE type = 'recall';
CREATE INDEX entries_closed ON entries (agent_id, created_at) WHERE type = 'closing';
CREATE INDEX entries_arrived ON entries (agent_id, created_at) WHERE type = 'arrival';
CREATE INDEX entries_session ON entries (agent_id, body ->> '$.session_start' DESC) WHERE type = 'recall';
CREATE INDEX entries_follows ON entries (body ->> '$.follows')
  WHERE type = 'recall' AND body ->> '$.follows' IS NOT NULL;
CREATE INDEX entries_opening ON entries (writer) WHERE type = 'opening';

CREATE TABLE intents (id TEXT PRIMARY KEY, salt TEXT NOT NULL, text TEXT NOT NULL, files TEXT) STRICT;

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
  `seq = NEW.seq OR (type = NEW.type AND id = NEW.id) OR (writer = NEW.writer AND n = NEW.n)
   OR (type = 'recall' AND NEW.type = 'recall' AND audit_token = NEW.audit_token)`,
)}
CREATE TRIGGER entries_stay BEFORE DELETE ON entries
WHEN NOT EXISTS (SELECT 1 FROM retired WHERE writer = OLD.writer AND n >= OLD.n) BEGIN ${refuse}; END;
${insertOnly('intents', 'id = NEW.id')}
${insertOnly(
  'documents',
  'kind = NEW.kind AND agent_id = NEW.agent_id AND version = NEW.version AND name = NEW.name',
)}${never('documents')}
${insertOnly('activations', 'seq = NEW.seq')}${never('activations')}
${insertOnly('checkpoints', 'writer = NEW.writer AND n = NEW.n')}${never('checkpoints')}
CREATE TRIGGER checkpoints_true BEFORE INSERT ON checkpoints
WHEN NOT EXISTS (SELECT 1 FROM entries WHERE writer = NEW.writer AND n = NEW.n AND hash = NEW.hash)
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
SELECT r.id, r.agent_id, r.body ->> '$.heartbeat_id' AS heartbeat_id, r.body ->> '$.session_start' AS session_start,
  COALESCE(i.text, '') AS intent, r.body -> '$.loaded_chunks' AS loaded_chunks,
  COALESCE(c.body -> '$.used_chunks', '[]') AS used_chunks, COALESCE(c.body -> '$.missed_chunks', '[]') AS missed_chunks,
  r.audit_token, c.created_at AS audit_closed, r.created_at,
  r.body ->> '$.kind' AS kind, r.body ->> '$.aborted' AS aborted, r.body -> '$.warnings' AS warnings,
  r.body -> '$.left_out' AS left_out, r.body ->> '$.follows' AS follows, r.body -> '$.candidates' AS candidates,
  COALESCE(c.body ->> '$.nothing_fits', 0) AS nothing_fits, COALESCE(i.files, '[]') AS files
FROM entries r
LEFT JOIN entries c ON c.type = 'closing' AND c.id = r.audit_token
LEFT JOIN intents i ON i.id = r.id
WHERE r.type = 'recall';

${DOCUMENT_VIEWS}`;

/** Insert-only tables, with the views of §21.7. */
export const SCHEMA = `${TABLES}${TRIGGERS}${VIEWS}${markKind(AUDIT)}`;
