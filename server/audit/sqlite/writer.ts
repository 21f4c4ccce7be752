import type { Database as Connection } from 'better-sqlite3';
import { chained, genesis, openingEntry, ownId, unnamedHeads } from '../records/hash-chain.ts';
import type { Release } from '../records/log.ts';
import { NAMED, nameOf, namesIn, refTo } from '../records/names.ts';
import type { ChainHead, NewEntry, SignedPoint, StoreOptions } from '../records/store.ts';
import { openSqliteFile } from './file.ts';

/** A transaction that waits longer than this for the lock is refused. */
const BUSY_MS = 50;

/** Pages of 4 KiB between two checkpoints of the write-ahead log; few checkpoints, because each waits for the disk. */
const LOG_PAGES = 4000;

/** One writer of an audit file; a call that throws has changed nothing. */
export interface SqliteWriter {
  readonly append: (entries: readonly NewEntry[]) => ChainHead;
  readonly checkpoint: (point: SignedPoint) => void;
  readonly isClosed: (token: string) => boolean;
  readonly archive: (release: Release) => void;
  readonly end: () => void;
}

/** Opens an audit file for one writer. @throws Error if it cannot be opened */
export function openSqliteWriter(path: string, options: StoreOptions): SqliteWriter {
  const db = openSqliteFile(path);
  db.pragma(`busy_timeout = ${BUSY_MS}`);
  db.pragma(`wal_autocheckpoint = ${LOG_PAGES}`);
  const selectClosing = db.prepare("SELECT 1 FROM entries WHERE type = 'closing' AND audit_token = ?");
  return {
    append: appender(db, options),
    checkpoint: checkpointer(db),
    isClosed: (token) => selectClosing.get(token) !== undefined,
    archive: archiver(db),
    end: () => void db.close(),
  };
}

function appender(db: Connection, options: StoreOptions): SqliteWriter['append'] {
  const selectHead = db.prepare(
    `SELECT ? AS writer, n, lower(hex(hash)) AS hash FROM entries WHERE writer = ${refTo('?')} ORDER BY n DESC LIMIT 1`,
  );
  const selectTwin = db.prepare("SELECT 1 FROM entries WHERE type = ? AND id = ? AND id <> ''");
  const selectRecall = db.prepare("SELECT 1 FROM entries WHERE type = 'recall' AND audit_token = ?");
  const selectClosing = db.prepare("SELECT 1 FROM entries WHERE type = 'closing' AND audit_token = ?");
  const insertEntry = db.prepare(
    `INSERT INTO entries VALUES (NULL, ${refTo('@writer')}, @n, @type, @own, ${NAMED.map((it) => refTo(`@${it}`)).join(', ')}, @audit_token,
     @created_at, @body, unhex(@hash))`,
  );
  const insertName = db.prepare(
    'INSERT INTO names (name) SELECT @name WHERE NOT EXISTS (SELECT 1 FROM names WHERE name = @name)',
  );
  const insertIntent = db.prepare('INSERT INTO intents VALUES (?, ?, ?, ?)');
  const isThere = ({ type, id, audit_token }: NewEntry) => {
    if (type === 'recall') return selectRecall.get(audit_token) !== undefined;
    return (type === 'closing' ? selectClosing.get(audit_token) : selectTwin.get(type, id)) !== undefined;
  };
  const insert = (head: ChainHead, { intent, ...entry }: NewEntry): ChainHead => {
    const next = chained(head, entry);
    const { lastInsertRowid } = insertEntry.run({ ...entry, ...next, own: ownId(entry) });
    if (intent) insertIntent.run(lastInsertRowid, intent.salt, intent.text, intent.files);
    return next;
  };
  const appendAll = db.transaction((entries: readonly NewEntry[]) => {
    // read each time: an earlier call may have committed even though its commit failed
    const { writer } = options;
    let head = (selectHead.get(writer, writer) as ChainHead | undefined) ?? genesis(writer);
    for (const name of namesIn(writer, entries)) insertName.run({ name });
    if (head.n === 0) head = insert(head, openingEntry(options, headsToName(db)));
    for (const entry of entries) if (!isThere(entry)) head = insert(head, entry);
    return head;
  });
  return (entries) => appendAll.immediate(entries);
}

function headsToName(db: Connection): ChainHead[] {
  const ends = db.prepare(
    `SELECT ${nameOf('e.writer')} AS writer, e.n, lower(hex(e.hash)) AS hash FROM (SELECT writer, (SELECT MAX(n) FROM entries WHERE writer = o.writer) AS n
     FROM (${WRITERS_OF_ENTRIES}) o) last JOIN entries e ON e.writer = last.writer AND e.n = last.n`,
  );
  const openings = db.prepare("SELECT body FROM entries WHERE type = 'opening'").pluck();
  return unnamedHeads(ends.all() as ChainHead[], openings.all() as string[]);
}

/** References to the writers of all entries, by a skip scan of the index. */
export const WRITERS_OF_ENTRIES = `WITH RECURSIVE skip(writer) AS (SELECT MIN(writer) FROM entries
  UNION ALL SELECT (SELECT MIN(writer) FROM entries WHERE writer > skip.writer) FROM skip WHERE skip.writer IS NOT NULL)
  SELECT writer FROM skip WHERE writer IS NOT NULL`;

/** Stores a checkpoint, once. */
export function checkpointer(db: Connection): (point: SignedPoint) => void {
  const insert = db.prepare(
    `INSERT INTO checkpoints SELECT @writer, @n, @hash, @at, @envelope
     WHERE NOT EXISTS (SELECT 1 FROM checkpoints WHERE writer = @writer AND n = @n)`,
  );
  return (point) => {
    // FULL syncs the checkpoint and everything before it to the disk, because the anchor outside may name it from now
    // on
    db.pragma('synchronous = FULL');
    try {
      insert.run(point);
    } finally {
      db.pragma('synchronous = NORMAL');
    }
  };
}

/** Archives served documents in an audit file, and which version is in force, in one transaction (§21.7). */
function archiver(db: Connection): (release: Release) => void {
  const insertDocument = db.prepare(
    `INSERT INTO documents SELECT @kind, @agent_id, @version, @name, @token_count, @body, @created_at WHERE NOT EXISTS
     (SELECT 1 FROM documents WHERE kind = @kind AND agent_id = @agent_id AND version = @version AND name = @name)`,
  );
  const activate = db.prepare(
    `INSERT INTO activations (agent_id, version, at) SELECT @agent_id, @version, @at WHERE @version IS NOT
     (SELECT version FROM activations WHERE agent_id = @agent_id ORDER BY seq DESC LIMIT 1)`,
  );
  const deactivateOthers = db.prepare(
    `INSERT INTO activations (agent_id, version, at) SELECT agent_id, NULL, @at FROM activations a
     WHERE seq = (SELECT MAX(seq) FROM activations WHERE agent_id = a.agent_id) AND version IS NOT NULL
     AND agent_id NOT IN (SELECT value FROM json_each(@agents)) ORDER BY agent_id`,
  );
  const archive = db.transaction(({ documents, inForce, agents, at }: Release) => {
    for (const document of documents) insertDocument.run(document);
    for (const it of inForce) activate.run({ ...it, at });
    if (agents !== null) deactivateOthers.run({ agents: JSON.stringify(agents), at });
  });
  return (release) => {
    archive.immediate(release);
  };
}
