import { keptRevisions, openBundle, serialOf, type OpenBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { orNull } from '../../compiler/schema/or-null.ts';
import type { SignedRoot } from '../../compiler/trust/root-chain.ts';

/** The bundle before a served one; null if none is kept, or if it no longer verifies. */
export type FindPreviousBundle = (bundle: OpenBundle) => OpenBundle | null;

/** Searches the roots that the bundle's folder keeps (DESIGN §8: three). */
export function previousBundles(pinned: SignedRoot): FindPreviousBundle {
  return ({ folder, revision, now }) => {
    const serial = serialOf(revision);
    const [last] = keptRevisions(folder)
      .filter((it) => serialOf(it) < serial)
      .sort((a, b) => serialOf(b) - serialOf(a));
    // without a previous bundle the report only lacks its comparison
    return last === undefined ? null : orNull(() => openBundle(folder, { pinned, now }, last));
  };
}
