import type { ArtefactChange, ChangedArtefact } from '../../../compiler/continuity/coordination/change.ts';
import type { PartyKind } from '../../../compiler/continuity/coordination/parties.ts';
import type { Artefact, ArtefactKind } from '../../../compiler/continuity/schema/coordination/artefact.ts';

/** Filter of a list of artefacts. */
export interface ArtefactFilter {
  readonly kind: ArtefactKind;
  /** Owners who each have to be a party, in a role if one is given. */
  readonly parties: readonly { readonly peer: string; readonly role: PartyKind | null }[];
  readonly status?: string | undefined;
  readonly classification?: string | undefined;
  readonly task_id?: string | undefined;
  readonly thread_id?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** One page of a list, the newest change first. */
export interface ArtefactPage {
  readonly artefacts: readonly Artefact[];
  /** Of all pages. */
  readonly total: number;
}

/** Artefacts that agents hand over, share and disagree about. The caller decides who sees which. */
export interface Coordination {
  /**
   * Resolves once the change survives a loss of power.
   *
   * @throws what the verb throws, secret_refused, continuity_unavailable
   */
  readonly change: (change: ArtefactChange) => Promise<ChangedArtefact>;
  /** The newest version of an artefact, or an earlier one; null if there is none. @throws continuity_unavailable */
  readonly find: (id: string, version?: number) => Artefact | null;
  /** @throws continuity_unavailable */
  readonly list: (filter: ArtefactFilter) => ArtefactPage;
}
