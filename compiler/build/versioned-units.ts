import type { Fallback } from '../schema/bundle/fact.ts';
import type { Fault } from '../schema/diagnostics.ts';
import type { GardenPredicate } from '../schema/bundle/garden.ts';
import type { HeldFact } from '../schema/bundle/quarantine.ts';
import type { TreeFile } from '../schema/source/sources.ts';
import type { Unit } from '../schema/source/unit.ts';
import { approveGarden } from './garden-approvals.ts';
import { assembleFacts, type Contents } from './contents.ts';
import { screen } from './quarantine.ts';
import type { Soil } from './compile-context.ts';
import { sowAll, type Sown } from './unit-facts.ts';

/** A garden's facts, versioned, screened and approved. */
export interface Ripe {
  readonly sown: readonly Sown[];
  readonly held: readonly HeldFact[];
  readonly contents: Contents;
  readonly predicate: Pick<GardenPredicate, 'approvals' | 'held'>;
  readonly faults: readonly Fault[];
}

/** From parsed units to facts that may be served, and what vouches for them. */
export async function ripen(
  soil: Soil,
  garden: string,
  units: readonly Unit[],
  files: readonly TreeFile[],
  fallbacks: ReadonlyMap<string, Fallback>,
): Promise<Ripe> {
  const all = sowAll(soil, garden, units, fallbacks);
  const sources = new Map(files.map((file) => [file.path, file]));
  const textOf = (path: string) => {
    const file = sources.get(path);
    return file ? soil.read(file).toString('utf8') : '';
  };
  const { sown, history, held, faults } = await screen(soil, all.sown, all.history, textOf);
  const approved = approveGarden(soil, garden, sown, history);
  const contents = assembleFacts(sown, history, held);
  for (const [path, bytes] of approved.files) contents.files.set(path, bytes);
  const predicate = { approvals: [...approved.used], held: held.length };
  return { sown, held, contents, predicate, faults: [...faults, ...approved.faults] };
}
