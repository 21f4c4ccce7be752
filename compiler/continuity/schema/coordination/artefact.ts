import { z } from 'zod';
import { Handoff } from './handoff.ts';
import { Reconciliation } from './reconciliation.ts';
import { SharedArtefact } from './shared.ts';

/** The kinds of artefacts; the id of each begins with its kind. */
export const ARTEFACTS = { handoff: Handoff, shared: SharedArtefact, reconciliation: Reconciliation } as const;

export const ArtefactKind = z.enum(['handoff', 'shared', 'reconciliation']);

export type ArtefactKind = z.infer<typeof ArtefactKind>;

/** An artefact by its kind. */
export interface ArtefactValues {
  readonly handoff: Handoff;
  readonly shared: SharedArtefact;
  readonly reconciliation: Reconciliation;
}

/** An artefact of any kind, which several owners see. */
export type Artefact = { [K in ArtefactKind]: { readonly kind: K; readonly value: ArtefactValues[K] } }[ArtefactKind];
