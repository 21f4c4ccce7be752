import type { Database as Connection } from 'better-sqlite3';
import { isSqliteMissing, sqliteUnavailable } from '../../io/files/sqlite.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { canonicalBytes, canonicalJson } from '../../trust/canonical.ts';
import { signEnvelope, type Signer } from '../../trust/dsse.ts';
import { LedgerRow, ROW_TYPE, type LedgerEntry, type SpawnRow } from '../schema/ledger-row.ts';
import { openLedgerFile } from './ledger-file.ts';

/** The history of every agent of a repository. Several processes may have it open at once. */
export interface Ledger {
  /**
   * Adds a row; it is on the disk when this returns.
   *
   * @param sealer the orchestrator; null for a row that needs no seal
   * @returns its number
   * @throws already_exists for a second spawn of one agent; ledger_unreadable, output_failed
   */
  readonly append: (row: LedgerRow, sealer: Signer | null) => number;
  /** The rows of one agent, in their order. @throws ledger_unreadable */
  readonly rowsOf: (agent: string) => LedgerEntry[];
  /** The newest rows of all agents, the newest first. @throws ledger_unreadable */
  readonly newest: (limit: number) => LedgerEntry[];
  /** Agents that were spawned, and neither cleaned nor revoked, in order of spawn. @throws ledger_unreadable */
  readonly living: () => string[];
  /** Agents that were spawned and not cleaned, in the order of their spawn. @throws ledger_unreadable */
  readonly uncleaned: () => string[];
  /** The sealed plan of an agent; null if it was never spawned. @throws sqlite_unavailable, ledger_unreadable */
  readonly plan: (agent: string) => Buffer | null;
  readonly close: () => void;
}

interface StoredRow {
  readonly seq: number;
  readonly kind: string;
  readonly agent_id: string;
  readonly body: string;
  readonly seal: Buffer | null;
}

/** Agents without a row of their own that ends them. */
const SPAWNED = (end: string) => `SELECT agent_id FROM rows a WHERE kind = 'spawn' AND NOT EXISTS
  (SELECT 1 FROM rows b WHERE b.agent_id = a.agent_id AND (${end})) ORDER BY seq`;
const CLEANED = "b.kind = 'clean'";
const REVOKED = "b.kind = 'revocation' AND b.body ->> '$.atom' IS NULL";

/**
 * Opens the ledger of a repository, `<git-common-dir>/vade/ledger.db`, and creates it.
 *
 * @throws sqlite_unavailable, ledger_unreadable
 */
export function openLedger(path: string): Ledger {
  if (isSqliteMissing()) throw sqliteUnavailable();
  const db = withErrorCode(path, 'ledger_unreadable', () => openLedgerFile(path));
  const read = <T>(work: () => T) => withErrorCode(path, 'ledger_unreadable', work);
  const of = db.prepare('SELECT * FROM rows WHERE agent_id = ? ORDER BY seq');
  const last = db.prepare('SELECT * FROM rows ORDER BY seq DESC LIMIT ?');
  const alive = db.prepare(SPAWNED(`${CLEANED} OR ${REVOKED}`)).pluck();
  const uncleaned = db.prepare(SPAWNED(CLEANED)).pluck();
  const rowsOf = (agent: string) => read(() => (of.all(agent) as StoredRow[]).map(entryOf));
  return {
    append: (row, sealer) => withErrorCode(path, 'output_failed', () => appendTo(db, row, sealer)),
    rowsOf,
    newest: (limit) => read(() => (last.all(limit) as StoredRow[]).map(entryOf)),
    living: () => read(() => alive.all() as string[]),
    uncleaned: () => read(() => uncleaned.all() as string[]),
    plan: (agent) => {
      const spawn = rowsOf(agent).find((it): it is LedgerEntry & { row: SpawnRow } => it.row.kind === 'spawn');
      return spawn === undefined ? null : Buffer.from(spawn.row.plan.text);
    },
    close: () => {
      db.close();
    },
  };
}

function appendTo(db: Connection, row: LedgerRow, sealer: Signer | null): number {
  const checked = LedgerRow.parse(row);
  const seal = sealer && signEnvelope(ROW_TYPE, canonicalBytes(checked), [sealer], Infinity);
  const insert = db.prepare('INSERT INTO rows (kind, agent_id, body, seal) VALUES (?, ?, ?, ?)');
  return Number(insert.run(checked.kind, checked.agent_id, canonicalJson(checked), seal).lastInsertRowid);
}

/** Untrusted: an agent that got at the file may have written anything. @throws Error */
function entryOf({ seq, kind, agent_id, body, seal }: StoredRow): LedgerEntry {
  const parsed = LedgerRow.safeParse(JSON.parse(body));
  if (!parsed.success || parsed.data.kind !== kind || parsed.data.agent_id !== agent_id) {
    throw new Error(`row ${seq} is damaged`);
  }
  return { seq, row: parsed.data, seal };
}

function withErrorCode<T>(path: string, code: 'ledger_unreadable' | 'output_failed', work: () => T): T {
  try {
    return work();
  } catch (error) {
    if ((error as { readonly code?: unknown }).code === 'SQLITE_CONSTRAINT_UNIQUE') {
      throw new VadeError('already_exists', 'the ledger already has an agent with this id');
    }
    throw new VadeError(code, `the ledger ${path}: ${messageOf(error)}`);
  }
}
