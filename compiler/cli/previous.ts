import { openBundle, type ProvenEnvelope } from '../edge/bundle.ts';
import type { Previous } from '../stages/reuse.ts';
import type { SealedRoot } from '../trust/chain.ts';

/** Opens an earlier bundle to build on; its root is proven now, each garden's envelope when it is asked for. */
export function openPrevious(folder: string, pinned: SealedRoot, now: Date): Previous {
  const bundle = openBundle(folder, { pinned, now: now.toISOString() });
  const proven = new Map<string, ProvenEnvelope | null>();
  return {
    root: bundle.root,
    garden: (name) => {
      if (!proven.has(name)) proven.set(name, bundle.envelope(name));
      return proven.get(name) ?? null;
    },
  };
}
