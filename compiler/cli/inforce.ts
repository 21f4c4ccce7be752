import { withdrawnFrom } from '../edge/beside.ts';
import type { OpenBundle } from '../edge/bundle.ts';
import { withoutWithdrawn, type RecallGarden } from '../recall/garden.ts';
import { withdrawnKey } from '../trust/withdrawal.ts';

/** A garden as a server answers from it: without the facts that were taken out since it was compiled (DESIGN §7). */
export function inForce(bundle: OpenBundle, garden: RecallGarden): RecallGarden {
  const withdrawn = withdrawnFrom(bundle);
  return withoutWithdrawn(garden, ({ uri, digest }) => withdrawn.has(withdrawnKey({ fact_uri: uri, digest })));
}
