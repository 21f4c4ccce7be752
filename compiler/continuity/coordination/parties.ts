import type { Artefact } from '../schema/coordination/artefact.ts';
import type { ArtefactOccasion } from './occasion.ts';
import { notFound } from './refusals.ts';

/** The role of an owner in an artefact. */
export type PartyKind = 'owner' | 'participant' | 'claimant';

export interface Party {
  readonly peer: string;
  readonly role: PartyKind;
}

/** The parties that see an artefact: the sender of a handoff is its owner, and its recipient a participant. */
export function partiesOf({ kind, value }: Artefact): Party[] {
  if (kind === 'handoff') return [owner(value.sender_peer), participant(value.recipient_peer)];
  const known = [owner(value.owner_peer), ...value.participant_peers.map(participant)];
  if (kind === 'shared') return known;
  const claimants = [...new Set(value.claims.map((it) => it.claimant_peer))];
  return [...known, ...claimants.map((peer): Party => ({ peer, role: 'claimant' }))];
}

/**
 * An artefact, if the caller may see it.
 *
 * @throws VadeError `coordination_not_found`, whether it is not there or not for the caller
 */
export function requireVisible(
  artefact: Artefact | null,
  id: string,
  { caller, isAdmin }: Pick<ArtefactOccasion, 'caller' | 'isAdmin'>,
): Artefact {
  const isVisible = artefact !== null && (isAdmin || partiesOf(artefact).some((it) => it.peer === caller));
  if (!isVisible) throw notFound(id);
  return artefact;
}

const owner = (peer: string): Party => ({ peer, role: 'owner' });
const participant = (peer: string): Party => ({ peer, role: 'participant' });
