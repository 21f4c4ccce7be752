import { existsSync } from 'node:fs';
import { openLedger } from '../../io/ledger/open-ledger.ts';
import { instant } from '../../schema/primitives.ts';
import type { Approval } from '../../schema/source/approval.ts';
import type { UnlockRow } from '../../schema/task/ledger-row.ts';
import { canonicalBytes, sha256 } from '../../trust/canonical.ts';
import { tasksFolder } from '../capability/tasks-folder.ts';
import { orchestratorKey } from '../world/trust-keys.ts';
import type { World } from '../world/world.ts';
import { ledgerFile } from './ledger-place.ts';

/**
 * Writes the end of a lock into the ledger of a repository that has one: “kei-ledger row: bypass reason + revocation
 * timestamp” (agent substrate, Lock declaration). The orchestrator seals it if its key is there; what proves the end is the
 * approval. A second time nothing is added, so a row that could not be written is written by the next try.
 *
 * @returns the agents at work: “all parallel phase agents paused” is for people to do
 * @throws ledger_unreadable, output_failed
 */
export async function noteUnlock(repo: string, approval: Approval, world: World): Promise<string[]> {
  const file = ledgerFile(await tasksFolder(repo, undefined, world));
  if (!existsSync(file)) return [];
  const row = rowOf(approval, world);
  const ledger = openLedger(file);
  try {
    const isNoted = ledger.rowsOf(null).some((it) => it.row.kind === row.kind && it.row.approval === row.approval);
    const hasKey = (world.env['VADE_ORCHESTRATOR_KEY'] ?? '') !== '';
    if (!isNoted) ledger.append(row, hasKey ? orchestratorKey(undefined, world) : null);
    return ledger.living();
  } finally {
    ledger.close();
  }
}

function rowOf(approval: Approval, world: World): UnlockRow {
  return {
    format: 1,
    kind: 'schema_unlock',
    agent_id: null,
    at: instant(Math.floor(world.now().getTime() / 1000)),
    approval: sha256(canonicalBytes(approval)),
    locks: approval.sources ?? [],
    reason: approval.note ?? '',
  };
}
