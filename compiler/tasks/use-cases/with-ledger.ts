import { existsSync } from 'node:fs';
import { stateFolder, type StateFolder } from '../../capabilities/use-cases/state-folder.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Signer } from '../../trust/dsse.ts';
import type { World } from '../../world/world.ts';
import { openLedger, type Ledger } from '../ledger/open-ledger.ts';
import type { Plan } from '../schema/plan.ts';
import { openPlan } from '../sealed-plan.ts';
import { ledgerFile } from './ledger-place.ts';
import { noteRepository } from './note-repository.ts';

/** The ledger of a repository, while `work` runs. @throws agent_not_found if there is none, ledger_unreadable */
export async function withLedger<T>(
  repo: string,
  world: World,
  work: (ledger: Ledger, place: StateFolder) => T | Promise<T>,
): Promise<T> {
  const place = await stateFolder(repo, undefined, world);
  noteRepository(place, world);
  if (!existsSync(ledgerFile(place))) throw new VadeError('agent_not_found', 'no agent has been spawned here');
  const ledger = openLedger(ledgerFile(place));
  try {
    return await work(ledger, place);
  } finally {
    ledger.close();
  }
}

/** The plan of an agent, as this orchestrator sealed it. @throws agent_not_found, bundle_unverified */
export function planOf(agent: string, ledger: Ledger, { keyid, publicPem }: Signer): Plan {
  const sealed = ledger.plan(agent);
  if (sealed === null) throw new VadeError('agent_not_found', `the ledger has no agent ${agent}`);
  return openPlan(sealed, { keyid, pem: publicPem });
}
