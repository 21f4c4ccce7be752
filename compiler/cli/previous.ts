import type { ZodType } from 'zod';
import { openBundle } from '../edge/bundle.ts';
import { Coverage } from '../model/coverage.ts';
import { ProbeReport } from '../model/probe.ts';
import type { Previous } from '../stages/previous.ts';
import type { SealedRoot } from '../trust/chain.ts';

/** Opens an earlier bundle to build on; its root is proven now, each garden's statement when it is asked for. */
export function openPrevious(folder: string, pinned: SealedRoot, now: Date): Previous {
  const bundle = openBundle(folder, { pinned, now: now.toISOString() });
  const read = <T>(garden: string, path: string, schema: ZodType<T>): T | null => {
    const proven = bundle.envelope(garden);
    if (!proven?.statement.subject.some((it) => it.name === path)) return null;
    return schema.parse(JSON.parse(bundle.readFile(proven, path).toString('utf8')));
  };
  return {
    root: bundle.root,
    signed_by: bundle.signed_by,
    statement: (garden) => bundle.envelope(garden)?.statement ?? null,
    coverage: (garden) => read(garden, 'coverage.json', Coverage),
    probes: (garden) => read(garden, 'probes.json', ProbeReport),
  };
}
