import type { Readiness } from '../compiler/model/readiness.ts';
import type { Rollout } from './edition.ts';

/** What a load balancer and an operator ask: whether answers come, from what, and what is held back. */
export function readiness(rollout: Rollout, isStale: boolean): Readiness {
  const { gardens, isFresh } = rollout.current();
  const { bundle, withdrawn } = gardens;
  const { is_ending, last_refusal, stale_since } = rollout.health();
  const held = bundle.root.predicate.gardens.reduce((all, it) => all + it.held, 0);
  return {
    status: is_ending ? 'ending' : isStale ? 'stale' : 'ready',
    bundle_revision: bundle.revision,
    fresh: isFresh(),
    refused: stale_since === null || last_refusal === null ? null : told(last_refusal.reason, stale_since),
    held,
    withdrawn: withdrawn.size,
    recertify_by: earliest(bundle.root.predicate.gardens.flatMap((it) => it.recertify_by ?? [])),
  };
}

const told = (reason: string, since: number) => ({ reason, since: new Date(since).toISOString() });

/** The first of the days by which a garden has to pass the coverage gate that it was let through (§21.8.3 S10). */
function earliest(instants: readonly string[]): string | null {
  return [...instants].sort()[0] ?? null;
}
