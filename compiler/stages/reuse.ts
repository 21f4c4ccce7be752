import { VadeError } from '../model/errors.ts';
import type { Garden, GardenStatement } from '../model/garden.ts';
import type { RootStatement } from '../model/bundle.ts';
import type { Sources } from '../model/sources.ts';
import type { Signer } from '../trust/dsse.ts';
import type { Plot } from './plot.ts';

/** A garden of an earlier bundle, its envelope proven, its files not read. */
export interface PreviousGarden {
  readonly digest: string;
  readonly envelope: Buffer;
  readonly statement: GardenStatement;
  readonly signed_by: readonly string[];
}

/** An earlier bundle to build on. It never changes what is compiled, but it may refuse. */
export interface Previous {
  readonly root: RootStatement;
  readonly garden: (name: string) => PreviousGarden | null;
}

/** The earlier garden, where the digest over all its inputs says that the work is done. */
export function reuse(previous: Previous | null, plot: Plot, signers: readonly Signer[]): Garden | null {
  const earlier = previous?.garden(plot.name);
  if (earlier?.statement.predicate.inputs !== plot.inputs) return null;
  const keys = signers.map((it) => it.keyid);
  if (keys.length !== earlier.signed_by.length || keys.some((id, i) => earlier.signed_by[i] !== id)) return null;
  const { digest, envelope, statement } = earlier;
  return { name: plot.name, digest, envelope, statement, files: null };
}

/** DESIGN §6.2: the earlier bundle's commit lies on this ref's first-parent chain. */
export async function assertLineage(previous: Previous | null, sources: Sources): Promise<void> {
  const commit = previous?.root.predicate.commit;
  if (commit === undefined || (await sources.onChain(commit))) return;
  throw new VadeError(
    'history_rewritten',
    `commit ${commit} of the previous bundle is not in the first-parent history of this ref`,
  );
}

/** DESIGN §6.2: every fact that was ever published keeps its digest. */
export function assertUnmutated(previous: Previous | null, gardens: readonly Garden[]): void {
  for (const garden of gardens) {
    const earlier = previous?.garden(garden.name);
    if (!earlier || earlier.digest === garden.digest) continue;
    const now = new Map(garden.statement.subject.map((it) => [it.name, it.digest.sha256]));
    for (const { name, digest } of earlier.statement.subject) {
      if (!name.startsWith('instruction:') || name.includes('/manifest/')) continue;
      if (now.get(name) !== digest.sha256) {
        throw new VadeError('fact_mutated', `${name} was published with another text`, {
          fact_uri: name,
        });
      }
    }
  }
}
