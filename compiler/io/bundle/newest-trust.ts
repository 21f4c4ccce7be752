import type { TrustRoot } from '../../schema/source/trust-root.ts';
import { keptRevisions, openBundle, type Belief, type OpenBundle } from './open-bundle.ts';
import { orNull } from '../../schema/or-null.ts';

/**
 * The newest trust root of a bundle and of the roots that its folder keeps. Its administrators decide about a return to
 * an older root: whoever was removed since may not. A host can leave newer roots out, so a server also remembers the
 * newest one that it served.
 */
export function newestTrust({ folder, trust }: OpenBundle, belief: Belief): TrustRoot {
  const kept = keptRevisions(folder).flatMap((revision) => trustOf(folder, belief, revision));
  return kept.reduce((newest, it) => (it.version > newest.version ? it : newest), trust);
}

/** Empty for a root that does not verify. */
function trustOf(folder: string, belief: Belief, revision: string): TrustRoot[] {
  return orNull(() => [openBundle(folder, belief, revision).trust]) ?? [];
}
