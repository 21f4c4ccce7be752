import { VadeError } from '../../schema/errors.ts';
import { canonicalJson } from '../../trust/canonical.ts';
import type { Artefact, ArtefactKind, ArtefactValues } from '../schema/coordination/artefact.ts';
import type { HandoffConsumeRequest } from '../schema/coordination/handoff.ts';
import type { ReconciliationOpenRequest, ReconciliationResolveRequest } from '../schema/coordination/reconciliation.ts';
import type { SharedCreateRequest, SharedUpdateRequest } from '../schema/coordination/shared.ts';
import { consumeHandoff, createHandoff, type HandoffDraft } from './handoff.ts';
import type { Changed, ArtefactOccasion } from './occasion.ts';
import { requireVisible } from './parties.ts';
import { openReconciliation, resolveReconciliation, type FindArtefact } from './reconciliation.ts';
import { notFound } from './refusals.ts';
import { createShared, updateShared } from './shared.ts';

/** A request about an artefact; agents in it are named by their ids. */
export type ArtefactRequest =
  | { readonly verb: 'createHandoff'; readonly request: HandoffDraft }
  | { readonly verb: 'consumeHandoff'; readonly request: HandoffConsumeRequest }
  | { readonly verb: 'createShared'; readonly request: SharedCreateRequest }
  | { readonly verb: 'updateShared'; readonly request: SharedUpdateRequest }
  | { readonly verb: 'openReconciliation'; readonly request: ReconciliationOpenRequest }
  | { readonly verb: 'resolveReconciliation'; readonly request: ReconciliationResolveRequest };

/** One request to make or to change an artefact; JSON. */
export type ArtefactChange = ArtefactRequest & ArtefactOccasion;

/** An artefact after a request. */
export interface ChangedArtefact {
  readonly artefact: Artefact;
  readonly isChanged: boolean;
}

/**
 * Applies a request to what is stored.
 *
 * @throws VadeError `coordination_invalid`, `coordination_not_found`, `coordination_conflict`,
 * `instruction_scope_denied`
 */
export function applyChange(change: ArtefactChange, find: FindArtefact): ChangedArtefact {
  switch (change.verb) {
    case 'createHandoff':
      return created('handoff', createHandoff(change.request, change), change, find);
    case 'createShared':
      return created('shared', createShared(change.request, change), change, find);
    case 'openReconciliation':
      return created('reconciliation', openReconciliation(change.request, find, change), change, find);
    case 'consumeHandoff':
      return changed('handoff', consumeHandoff(visible('handoff', change, find), change.request, change));
    case 'updateShared':
      return changed('shared', updateShared(visible('shared', change, find), change.request, change));
    case 'resolveReconciliation': {
      const held = visible('reconciliation', change, find);
      return changed('reconciliation', resolveReconciliation(held, change.request, change));
    }
  }
}

/**
 * A new artefact; with an idempotency key, whose artefact always has the same id, the one that was made before, as it
 * is now. What crossed of a capsule then stays, whatever the capsule says meanwhile.
 *
 * @throws VadeError `idempotency_conflict` if the key belongs to another request
 */
function created<K extends ArtefactKind>(
  kind: K,
  made: Changed<ArtefactValues[K]>,
  { id, request }: ArtefactChange,
  find: FindArtefact,
): ChangedArtefact {
  const first = 'idempotency_key' in request && request.idempotency_key ? find(id, 1) : null;
  const known = first && find(id);
  if (!first || !known) return changed(kind, made);
  if (saidIn(first.value) === saidIn(made.value)) return { artefact: known, isChanged: false };
  throw new VadeError('idempotency_conflict', 'this idempotency_key belongs to another request: use a new one');
}

/** The content of a creation, without what the system added. */
function saidIn(value: object): string {
  const added = ['created_at', 'updated_at', 'shared_continuity'];
  return canonicalJson(Object.fromEntries(Object.entries(value).filter(([name]) => !added.includes(name))));
}

function changed<K extends ArtefactKind>(kind: K, { value, isChanged }: Changed<ArtefactValues[K]>): ChangedArtefact {
  return { artefact: { kind, value } as Artefact, isChanged };
}

/** An artefact of a kind that the caller may see. @throws VadeError `coordination_not_found` */
export function visibleOf<K extends ArtefactKind>(
  kind: K,
  artefact: Artefact | null,
  viewer: Pick<ArtefactOccasion, 'caller' | 'isAdmin' | 'id'>,
): ArtefactValues[K] {
  const it = requireVisible(artefact, viewer.id, viewer);
  if (it.kind !== kind) throw notFound(viewer.id);
  return it.value as ArtefactValues[K];
}

function visible<K extends ArtefactKind>(kind: K, change: ArtefactChange, find: FindArtefact): ArtefactValues[K] {
  return visibleOf(kind, find(change.id), change);
}
