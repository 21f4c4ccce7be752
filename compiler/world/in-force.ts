import type { OpenBundle } from '../io/bundle/open-bundle.ts';
import { withdrawnFrom } from '../io/bundle/sidecar-files.ts';
import { withoutWithdrawn, type RecallGarden } from '../recall/recall-garden.ts';
import { isWithdrawn } from '../trust/withdrawal.ts';

/**
 * Gardens as a server answers from them: without facts that were withdrawn after the compile (DESIGN §7). The signed
 * orders are read and verified once.
 *
 * @throws bundle_unverified
 */
export function inForce(bundle: OpenBundle): (garden: RecallGarden) => RecallGarden {
  const withdrawn = withdrawnFrom(bundle);
  return (garden) => withoutWithdrawn(garden, (fact) => isWithdrawn(withdrawn, fact));
}
