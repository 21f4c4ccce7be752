import type { Edition } from './edition.ts';

/** What a load balancer and an operator ask: whether answers come, from what, and what is held back. */
export function readiness({ gardens, isFresh }: Edition, isStale: boolean) {
  const { bundle, withdrawn } = gardens;
  const held = bundle.root.predicate.gardens.reduce((all, it) => all + it.held, 0);
  return {
    status: isStale ? 'stale' : 'ready',
    bundle_revision: bundle.revision,
    fresh: isFresh(),
    held,
    withdrawn: withdrawn.size,
    recertify_by: earliest(bundle.root.predicate.gardens.flatMap((it) => it.recertify_by ?? [])),
  };
}

/** The first of the days by which a garden has to pass the coverage gate that it was let through (§21.8.3 S10). */
function earliest(instants: readonly string[]): string | null {
  return [...instants].sort()[0] ?? null;
}
