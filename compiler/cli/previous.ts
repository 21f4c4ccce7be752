import { openBundle } from '../edge/bundle.ts';
import { Coverage } from '../model/coverage.ts';
import type { Previous } from '../stages/previous.ts';
import type { SealedRoot } from '../trust/chain.ts';

/** Opens an earlier bundle to build on; its root is proven now, each garden's statement when it is asked for. */
export function openPrevious(folder: string, pinned: SealedRoot, now: Date): Previous {
  const bundle = openBundle(folder, { pinned, now: now.toISOString() });
  return {
    root: bundle.root,
    signed_by: bundle.signed_by,
    statement: (garden) => bundle.envelope(garden)?.statement ?? null,
    coverage: (garden) => {
      const proven = bundle.envelope(garden);
      const judged = proven?.statement.subject.some((it) => it.name === 'coverage.json');
      return proven && judged
        ? Coverage.parse(JSON.parse(bundle.readFile(proven, 'coverage.json').toString('utf8')))
        : null;
    },
  };
}
