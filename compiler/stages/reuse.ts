import type { RootEntry, RootStatement } from '../model/bundle.ts';
import { VadeError } from '../model/errors.ts';
import type { Garden, GardenStatement } from '../model/garden.ts';
import type { Signer } from '../trust/dsse.ts';
import type { Plot } from './plot.ts';

/** An earlier bundle to build on, its root proven. It never changes what is compiled, but it may refuse. */
export interface Previous {
  readonly root: RootStatement;
  /** Ids of the keys that signed it, in order. */
  readonly signed_by: readonly string[];
  /** What was said of a garden, proven; null where there was none. */
  readonly statement: (garden: string) => GardenStatement | null;
}

/** The earlier gardens, by name, where the digest over all inputs says that the work is done. */
export function findReusable(
  previous: Previous | null,
  plots: readonly Plot[],
  signers: readonly Signer[],
): Map<string, RootEntry> {
  const sameKeys = signers.map((it) => it.keyid).join() === previous?.signed_by.join();
  const entries = new Map(previous?.root.predicate.gardens.map((it) => [it.garden, it]));
  const reusable = new Map<string, RootEntry>();
  for (const { name, inputs } of plots) {
    const entry = entries.get(name);
    if (sameKeys && entry?.inputs === inputs) reusable.set(name, entry);
  }
  return reusable;
}

/** DESIGN §6.2: the earlier bundle's commit lies on this ref's first-parent chain. */
export function assertLineage(previous: Previous | null, places: ReadonlyMap<string, number>): void {
  const commit = previous?.root.predicate.commit;
  if (commit === undefined || places.has(commit)) return;
  const message = `commit ${commit} of the previous bundle is not in the first-parent history of this ref`;
  throw new VadeError('history_rewritten', message);
}

/** DESIGN §6.2: every fact that was ever published keeps its digest. */
export function assertUnmutated(previous: Previous | null, grown: readonly Garden[]): void {
  for (const garden of grown) {
    const now = new Map(garden.statement.subject.map((it) => [it.name, it.digest.sha256]));
    for (const { name, digest } of previous?.statement(garden.name)?.subject ?? []) {
      if (!name.startsWith('instruction:') || name.includes('/manifest/')) continue;
      if (now.get(name) !== digest.sha256) {
        throw new VadeError('fact_mutated', `${name} was published with another text`, { fact_uri: name });
      }
    }
  }
}
