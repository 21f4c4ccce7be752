import type { Readiness } from '../../compiler/schema/api/readiness.ts';
import { SHARED } from '../../compiler/schema/uri.ts';
import type { FailingGarden } from '../rollout/back-off.ts';
import type { Rollout, WithdrawalsHealth } from '../rollout/snapshot.ts';

/** For load balancers and operators: whether requests are answered, from which bundle, and what is withheld. */
export function readiness(rollout: Rollout): Readiness {
  const { gardens, freshness } = rollout.current();
  const { bundle, withdrawn } = gardens;
  const { is_ending, last_refusal, stale_since, withdrawals } = rollout.health();
  const failing = gardens.memory.backOff.failing();
  const isDamaged = failing.some(({ garden }) => garden === SHARED);
  const held = bundle.root.predicate.gardens.reduce((all, it) => all + it.held, 0);
  return {
    status: is_ending ? 'ending' : rollout.isStale() ? 'stale' : isDamaged ? 'damaged' : 'ready',
    bundle_revision: bundle.revision,
    fresh: freshness.isFresh(),
    refused: stale_since === null || last_refusal === null ? null : reported(last_refusal.reason, stale_since),
    unavailable: unavailable(failing),
    held,
    withdrawn: withdrawn.size,
    withdrawals: { status: statusOf(withdrawals), ...withdrawals },
    recertify_by: earliest(bundle.root.predicate.gardens.flatMap((it) => it.recertify_by ?? [])),
  };
}

function statusOf({ missing, until }: WithdrawalsHealth): Readiness['withdrawals']['status'] {
  if (missing > 0) return 'missing';
  return until === null ? 'unknown' : 'bounded';
}

const reported = (reason: string, since: number) => ({ reason, since: new Date(since).toISOString() });

/** The count and the reasons; a load balancer needs no names. */
function unavailable(failing: readonly FailingGarden[]): Readiness['unavailable'] {
  if (failing.length === 0) return null;
  return {
    gardens: failing.length,
    retryable: failing.filter((it) => it.retryable).length,
    reasons: [...new Set(failing.map((it) => it.reason))].sort(),
    since: new Date(Math.min(...failing.map((it) => it.since))).toISOString(),
  };
}

/** The earliest deadline of a bypassed coverage gate (§21.8.3 S10). */
function earliest(instants: readonly string[]): string | null {
  return [...instants].sort()[0] ?? null;
}
