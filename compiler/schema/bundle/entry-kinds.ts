import { refuse } from '../refusals.ts';
import { KINDS, type ReadRootStatement, type RootEntry, type RootStatement } from './bundle.ts';

type ReadEntry = ReadRootStatement['predicate']['gardens'][number];

/** A root by what its gardens are for. */
export interface SortedRoot {
  /** The root with the gardens that recall answers from, and no others. */
  readonly statement: RootStatement;
  /** Gardens of other kinds that this version knows. */
  readonly beside: readonly RootEntry[];
}

/**
 * Separates the gardens that recall answers from, so that no reader takes another for one of them. Gardens of unknown
 * kinds are left out.
 *
 * @throws bundle_unverified: kind_unknown, for a critical garden of an unknown kind
 */
export function sortKinds(read: ReadRootStatement): SortedRoot {
  const known = read.predicate.gardens.filter(isKnown);
  const foreign = read.predicate.gardens.filter((it) => !isKnown(it));
  const critical = foreign.find((it) => it.critical === true);
  if (critical) {
    const message = `garden ${critical.garden} is of the kind “${String(critical.kind).slice(0, 64)}”, which this version cannot read`;
    throw refuse('kind_unknown', message);
  }
  const gardens = known.filter((it) => it.kind === undefined);
  return {
    statement: { ...read, predicate: { ...read.predicate, gardens } },
    beside: known.filter((it) => it.kind !== undefined),
  };
}

function isKnown(entry: ReadEntry): entry is RootEntry {
  return entry.kind === undefined || (KINDS as readonly unknown[]).includes(entry.kind);
}
