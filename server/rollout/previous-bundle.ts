import { keptRevisions, openBundle, serialOf, type OpenBundle } from '../../compiler/io/bundle/open-bundle.ts';
import type { SignedRoot } from '../../compiler/trust/root-chain.ts';

/** The bundle that came before one in service; null where none is kept, or none that is still believed. */
export type FindPreviousBundle = (bundle: OpenBundle) => OpenBundle | null;

/** Looks for it among the roots that the bundle's folder keeps (DESIGN §8: three). */
export function previousBundles(pinned: SignedRoot): FindPreviousBundle {
  return ({ folder, revision, now }) => {
    const serial = serialOf(revision);
    const [last] = keptRevisions(folder)
      .filter((it) => serialOf(it) < serial)
      .sort((a, b) => serialOf(b) - serialOf(a));
    if (last === undefined) return null;
    try {
      return openBundle(folder, { pinned, now }, last);
    } catch {
      // a comparison that cannot be had holds up nobody
      return null;
    }
  };
}
