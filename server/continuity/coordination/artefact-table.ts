import type { Database as Connection } from 'better-sqlite3';
import { partiesOf } from '../../../compiler/continuity/coordination/parties.ts';
import {
  ARTEFACTS,
  type Artefact,
  type ArtefactKind,
} from '../../../compiler/continuity/schema/coordination/artefact.ts';
import { messageOf, VadeError } from '../../../compiler/schema/errors.ts';
import { canonicalJson } from '../../../compiler/trust/canonical.ts';
import type { ArtefactFilter, ArtefactPage } from './coordination.ts';

/** The queries of a read-only connection. */
export interface ArtefactReading {
  readonly find: (id: string, version?: number) => Artefact | null;
  readonly list: (filter: ArtefactFilter) => ArtefactPage;
}

interface StoredRow {
  readonly kind: ArtefactKind;
  readonly body: string;
}

export function readArtefacts(db: Connection): ArtefactReading {
  const select = db.prepare(
    `SELECT a.kind, v.body FROM artefacts a JOIN versions v ON v.artefact = a.seq AND v.version = coalesce(@version, a.version)
     WHERE a.id = @id`,
  );
  const page = (filter: ArtefactFilter): ArtefactPage => {
    const { where, values } = matching(filter);
    const total = db.prepare(`SELECT count(*) FROM artefacts a WHERE ${where}`).pluck().get(values) as number;
    const rows = db
      .prepare(
        `SELECT a.kind, v.body FROM artefacts a JOIN versions v ON v.artefact = a.seq AND v.version = a.version
         WHERE ${where} ORDER BY a.changed_at DESC, a.seq DESC LIMIT @limit OFFSET @offset`,
      )
      .all({ ...values, limit: filter.limit, offset: filter.offset }) as StoredRow[];
    return { artefacts: rows.map(artefactOf), total };
  };
  return {
    find: (id, version) => {
      const row = select.get({ id, version: version ?? null }) as StoredRow | undefined;
      return row ? artefactOf(row) : null;
    },
    // the count and the rows of one instant
    list: (filter) => db.transaction(() => page(filter))(),
  };
}

/** Stores one version of an artefact; its parties never change. */
export function artefactWriter(db: Connection): (artefact: Artefact, now: number) => void {
  const insert = db.prepare(
    `INSERT INTO artefacts (id, kind, version, changed_at, status, classification, task_id, thread_id)
     VALUES (@id, @kind, @version, @now, @status, @classification, @task_id, @thread_id) RETURNING seq`,
  );
  const update = db.prepare(
    'UPDATE artefacts SET version = @version, changed_at = @now, status = @status WHERE id = @id RETURNING seq',
  );
  const addVersion = db.prepare('INSERT INTO versions VALUES (?, ?, ?)');
  const addParty = db.prepare('INSERT INTO parties VALUES (?, ?, ?)');
  return (artefact, now) => {
    const { value } = artefact;
    const columns = { ...columnsOf(artefact), kind: artefact.kind, version: value.version, now };
    const { task_id, thread_id } = value;
    const isNew = value.version === 1;
    const { seq } = (isNew ? insert.get({ ...columns, task_id, thread_id }) : update.get(columns)) as { seq: number };
    addVersion.run(seq, value.version, canonicalJson(value));
    if (isNew) for (const { peer, role } of partiesOf(artefact)) addParty.run(peer, seq, role);
  };
}

function columnsOf({ kind, value }: Artefact) {
  if (kind === 'handoff') return { id: value.handoff_id, status: value.recipient_status, classification: null };
  if (kind === 'shared') return { id: value.shared_id, status: null, classification: null };
  return { id: value.reconciliation_id, status: value.status, classification: value.classification };
}

/**
 * Refuses a stored artefact that no schema allows: another program may have written to the file.
 *
 * @throws continuity_unusable
 */
function artefactOf({ kind, body }: StoredRow): Artefact {
  const parsed = ARTEFACTS[kind].safeParse(JSON.parse(body));
  if (!parsed.success) throw new VadeError('continuity_unusable', 'a stored artefact cannot be read');
  return { kind, value: parsed.data } as Artefact;
}

/** Every version of every artefact, and its fault: its schema, or that its columns say something else. */
export function* everyArtefact(db: Connection): Generator<{ readonly id: string; readonly fault: string | null }> {
  const rows = db.prepare(
    'SELECT a.id, a.kind, v.version, v.body FROM artefacts a JOIN versions v ON v.artefact = a.seq',
  );
  for (const row of rows.iterate() as Iterable<StoredRow & { id: string; version: number }>)
    yield { id: `${row.id} version ${row.version}`, fault: faultOf(row) };
}

function faultOf(row: StoredRow & { readonly id: string; readonly version: number }): string | null {
  try {
    const artefact = artefactOf(row);
    const isSame = columnsOf(artefact).id === row.id && artefact.value.version === row.version;
    return isSame ? null : 'is not what its columns say';
  } catch (error) {
    return messageOf(error);
  }
}

const COLUMNS = ['kind', 'status', 'classification', 'task_id', 'thread_id'] as const;

/** A condition whose values are bound, never written into it. */
function matching(filter: ArtefactFilter) {
  const given = COLUMNS.filter((name) => filter[name] !== undefined);
  const values: Record<string, string> = Object.fromEntries(given.map((name) => [name, filter[name] ?? '']));
  const terms = given.map((name) => `a.${name} = @${name}`);
  for (const [at, { peer, role }] of filter.parties.entries()) {
    values[`peer${at}`] = peer;
    if (role !== null) values[`role${at}`] = role;
    const ofRole = role === null ? '' : ` AND role = @role${at}`;
    terms.push(`a.seq IN (SELECT artefact FROM parties WHERE peer = @peer${at}${ofRole})`);
  }
  return { where: terms.join(' AND '), values };
}
