import { timeOf } from '../capsule/clock.ts';
import type { SharedArtefact, SharedCreateRequest, SharedUpdateRequest } from '../schema/coordination/shared.ts';
import type { Changed, ArtefactOccasion } from './occasion.ts';
import { conflict, invalid, notYours } from './refusals.ts';

/**
 * `POST /v1/coordination/shared/create`: a new artefact of its owner, for participants to read; perhaps for none yet.
 *
 * @param request whose participants are ids
 * @throws VadeError `coordination_invalid`
 */
export function createShared(
  request: SharedCreateRequest,
  { now, caller, id }: ArtefactOccasion,
): Changed<SharedArtefact> {
  const participant_peers = request.participant_peers ?? [];
  if (participant_peers.includes(caller)) throw invalid('participant_peers', 'the owner cannot be a participant');
  if (new Set(participant_peers).size < participant_peers.length)
    throw invalid('participant_peers', 'names an agent twice');
  const at = timeOf(now);
  return {
    isChanged: true,
    value: {
      shared_id: id,
      version: 1,
      created_at: at,
      updated_at: at,
      owner_peer: caller,
      participant_peers,
      task_id: request.task_id ?? null,
      thread_id: request.thread_id ?? null,
      ...contentOf(request),
    },
  };
}

/**
 * `POST /v1/coordination/shared/{shared_id}/update`: replaces an artefact's content. The first writer of a version
 * wins.
 *
 * @throws VadeError `instruction_scope_denied` for anybody but the owner, `coordination_conflict` for another version
 */
export function updateShared(
  shared: SharedArtefact,
  request: SharedUpdateRequest,
  { now, caller }: Pick<ArtefactOccasion, 'now' | 'caller'>,
): Changed<SharedArtefact> {
  if (caller !== shared.owner_peer) throw notYours('only the owner of a shared artefact may update it');
  checkVersion(request.expected_version, shared.version);
  return {
    isChanged: true,
    value: { ...shared, ...contentOf(request), version: shared.version + 1, updated_at: timeOf(now) },
  };
}

/** @throws VadeError `coordination_conflict`, with the version that is there */
export function checkVersion(expected: number, version: number): void {
  if (expected === version) return;
  throw conflict(`expected_version is ${expected}, but version ${version} is stored`, {
    expected_version: expected,
    version,
  });
}

type Content = Omit<SharedUpdateRequest, 'expected_version'>;

function contentOf({ title, summary, constraints, drift_signals, coordination_alerts, commit_message }: Content) {
  return {
    title,
    summary: summary ?? null,
    shared_state: {
      constraints: constraints ?? [],
      drift_signals: drift_signals ?? [],
      coordination_alerts: coordination_alerts ?? [],
    },
    commit_message: commit_message ?? null,
  };
}
