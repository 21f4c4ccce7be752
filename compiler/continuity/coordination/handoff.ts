import { timeOf } from '../capsule/clock.ts';
import type { Capsule } from '../schema/capsule.ts';
import type { Handoff, HandoffConsumeRequest, HandoffCreateRequest } from '../schema/coordination/handoff.ts';
import type { Changed, ArtefactOccasion } from './occasion.ts';
import { conflict, invalid, notYours } from './refusals.ts';

/** A request with what crosses of the capsule that it names. */
export interface HandoffDraft extends HandoffCreateRequest {
  readonly shared_continuity: Handoff['shared_continuity'];
}

/** "projects only active_constraints and drift_signals"; nothing else of a capsule crosses the boundary. */
export function projectionOf({ continuity }: Pick<Capsule, 'continuity'>): Handoff['shared_continuity'] {
  const { active_constraints, drift_signals } = continuity;
  return { active_constraints, drift_signals };
}

/**
 * `POST /v1/coordination/handoff/create`: a new handoff, which waits for its recipient.
 *
 * @param draft whose recipient is an id
 * @throws VadeError `coordination_invalid`
 */
export function createHandoff(draft: HandoffDraft, { now, caller, id }: ArtefactOccasion): Changed<Handoff> {
  if (draft.recipient_peer === caller) throw invalid('recipient_peer', 'an agent cannot hand over to itself');
  const at = timeOf(now);
  const { subject_kind, subject_id, shared_continuity } = draft;
  return {
    isChanged: true,
    value: {
      handoff_id: id,
      version: 1,
      created_at: at,
      updated_at: at,
      sender_peer: caller,
      recipient_peer: draft.recipient_peer,
      source_selector: { subject_kind, subject_id },
      task_id: draft.task_id ?? null,
      thread_id: draft.thread_id ?? null,
      note: draft.note ?? null,
      shared_continuity,
      recipient_status: 'pending',
      recipient_note: null,
      consumed_at: null,
      commit_message: draft.commit_message ?? null,
    },
  };
}

/**
 * `POST /v1/coordination/handoff/{handoff_id}/consume`: the recipient says how it takes a handoff. The same again
 * changes nothing; a deferred handoff may still be accepted or rejected, and these are ends. No capsule changes by it.
 *
 * @throws VadeError `instruction_scope_denied` for anybody else, `coordination_conflict`
 */
export function consumeHandoff(
  handoff: Handoff,
  { status, note, reason }: HandoffConsumeRequest,
  { now, caller }: Pick<ArtefactOccasion, 'now' | 'caller'>,
): Changed<Handoff> {
  if (caller !== handoff.recipient_peer) throw notYours('only the recipient of a handoff may consume it');
  const { recipient_status: before } = handoff;
  const recipient_note = note ?? reason ?? null;
  if (before === status && handoff.recipient_note === recipient_note) return { value: handoff, isChanged: false };
  if (before === 'accepted_advisory' || before === 'rejected')
    throw conflict(`this handoff is already ${before}`, { recipient_status: before, version: handoff.version });
  const at = timeOf(now);
  const decided = { recipient_status: status, recipient_note, consumed_at: at, updated_at: at };
  return { value: { ...handoff, ...decided, version: handoff.version + 1 }, isChanged: true };
}
