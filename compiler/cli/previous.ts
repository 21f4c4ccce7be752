import { openBundle } from '../edge/bundle.ts';
import type { Previous } from '../stages/reuse.ts';
import type { SealedRoot } from '../trust/chain.ts';

/** Opens an earlier bundle to build on; its root is proven now, each garden's statement when it is asked for. */
export function openPrevious(folder: string, pinned: SealedRoot, now: Date): Previous {
  const bundle = openBundle(folder, { pinned, now: now.toISOString() });
  return {
    root: bundle.root,
    signed_by: bundle.signed_by,
    statement: (garden) => bundle.envelope(garden)?.statement ?? null,
  };
}
