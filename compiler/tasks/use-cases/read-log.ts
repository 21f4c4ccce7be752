import { existsSync } from 'node:fs';
import { stateFolder } from '../../capabilities/use-cases/state-folder.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { readPublicKey } from '../../world/read-public-key.ts';
import type { World } from '../../world/world.ts';
import type { LedgerEntry, LedgerRow } from '../schema/ledger-row.ts';
import { isSealed, type OrchestratorKey } from '../sealed-plan.ts';
import type { TASK_LOG } from './flags.ts';
import { ledgerFile } from './ledger-place.ts';
import { pinnedKey } from './pinned-key.ts';
import { withLedger } from './with-ledger.ts';

export type LogFlags = Arguments<typeof TASK_LOG>;

/** A row for its reader: documents by their digests. */
export interface LoggedRow {
  readonly seq: number;
  readonly at: string;
  readonly kind: LedgerRow['kind'];
  readonly agent_id: string;
  /** Whether the orchestrator sealed exactly this row; null if its key is not known here. */
  readonly sealed: boolean | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The newest rows of the ledger, newest first; none without a ledger. @throws ledger_unreadable, source_not_found */
export async function readLog({ repo, agent, orchestrator, limit }: LogFlags, world: World): Promise<LoggedRow[]> {
  if (!existsSync(ledgerFile(await stateFolder(repo, undefined, world)))) return [];
  return withLedger(repo, world, (ledger, place) => {
    const key = orchestrator === undefined ? pinnedKey(place) : readPublicKey(orchestrator, 'orchestrator', world);
    const entries = agent === undefined ? ledger.newest(limit) : ledger.rowsOf(agent).reverse().slice(0, limit);
    return entries.map((it) => logged(it, key));
  });
}

function logged(entry: LedgerEntry, key: OrchestratorKey | null): LoggedRow {
  const { kind, agent_id, at, format: _, ...rest } = entry.row;
  const details = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, shortened(value)]));
  return { seq: entry.seq, at, kind, agent_id, sealed: key && isSealed(entry, key), details };
}

/** A document is told by its digest. */
function shortened(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'digest' in value ? value.digest : value;
}
