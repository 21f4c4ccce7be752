import { sha256 } from '../trust/canonical.ts';
import { confirmationFaults, draftClockFaults } from './capsule/clock.ts';
import { complete, encode } from './capsule/complete-capsule.ts';
import { keepState } from './capsule/kept-state.ts';
import { moved, moveFaults } from './capsule/lifecycle-machine.ts';
import { overlaySnapshot, preserve } from './capsule/merge.ts';
import { conflict, damaged, type Fault } from './capsule/refusals.ts';
import { checkNewer } from './capsule/stale-write.ts';
import { stampEntries } from './capsule/stamp.ts';
import { isAdequate } from './capsule/state-of.ts';
import type { Capsule } from './schema/capsule.ts';
import type { Draft } from './schema/draft.ts';
import type { UpsertAnswer, UpsertRequest } from './schema/upsert.ts';
import { loadActive, loadFallback } from './stored/load.ts';
import { messageFor, persist, type MakeFallback } from './stored/persist.ts';
import type { SubjectChange, Occasion, SubjectFiles } from './stored/subject.ts';

/**
 * `POST /v1/continuity/upsert`: stores a capsule, whole or merged with what is stored. The same capsule again changes
 * nothing; a different one has to be strictly newer.
 *
 * @throws VadeError `capsule_invalid`, `capsule_stale`, `capsule_conflict`; `capsule_damaged` if there is nothing to
 * merge with
 */
export function upsert(
  request: UpsertRequest,
  files: SubjectFiles,
  { now }: Occasion,
  makeFallback?: MakeFallback,
): SubjectChange<UpsertAnswer> {
  const stored = storedFor(request, files);
  const { capsule: given, normalizations_applied } = complete(merged(request, stored), requestFaults(request, now));
  // where the active capsule is lost, its fallback still knows what became of it, and since when its entries are there
  const before = stored ?? lastKnown(files);
  const kept = keepState(given, before, now);
  const capsule = stampEntries(moving(kept.capsule, request), before, now);
  const bytes = encode(capsule);
  const isSame = stored !== null && files.active?.equals(bytes) === true;
  if (stored && !isSame) checkNewer(capsule.updated_at, stored.updated_at, now);
  const isUnreadable = files.active !== null && stored === null;
  const { writes, recovery_warnings } = isSame
    ? { writes: new Map<string, Buffer>(), recovery_warnings: [] }
    : persist(files.path, capsule, bytes, now, makeFallback);
  return {
    writes,
    message: messageFor('upsert', request.subject_kind, request.subject_id, request.commit_message),
    answer: {
      ok: true,
      path: files.path,
      created: files.active === null,
      updated: files.active !== null && !isSame,
      durable: true,
      capsule_sha256: sha256(bytes),
      normalizations_applied: [...normalizations_applied, ...kept.notes],
      // an unreadable capsule is replaced, and the agent, which may not know of it, is warned
      recovery_warnings: isUnreadable ? ['continuity_active_invalid', ...recovery_warnings] : recovery_warnings,
      ...(capsule.thread_descriptor?.lifecycle && { lifecycle: capsule.thread_descriptor.lifecycle }),
      ...(request.session_end_snapshot && {
        session_end_snapshot_applied: true,
        resume_quality: { adequate: isAdequate(capsule) },
      }),
    },
  };
}

function requestFaults(request: UpsertRequest, now: number): readonly Fault[] {
  const { subject_kind, subject_id, capsule, session_end_snapshot: snapshot } = request;
  const isOther = capsule.subject_kind !== subject_kind || capsule.subject_id !== subject_id;
  return [
    ...(isOther ? [{ field: 'capsule.subject_id', message: 'the capsule has another subject than the request' }] : []),
    ...moveFaults(request.lifecycle_transition, request.superseded_by, subject_id),
    ...draftClockFaults(capsule, now),
    ...confirmationFaults(snapshot?.negative_decisions, 'session_end_snapshot.negative_decisions', now),
    ...confirmationFaults(snapshot?.rationale_entries, 'session_end_snapshot.rationale_entries', now),
  ];
}

/** The stored capsule; null if there is none, or if a whole new one replaces what cannot be read. */
function storedFor({ merge_mode }: UpsertRequest, { active, path }: SubjectFiles): Capsule | null {
  if (active === null) return null;
  const loaded = loadActive(path, active);
  if (loaded.ok) return loaded.value;
  if (merge_mode === 'preserve') throw damaged(path, loaded.reason);
  return null;
}

function lastKnown({ path, fallback }: SubjectFiles): Capsule | null {
  const loaded = loadFallback(path, fallback);
  return loaded.ok ? loaded.value : null;
}

/** The draft over what is stored, and the session-end snapshot over both. */
function merged({ capsule, merge_mode, session_end_snapshot }: UpsertRequest, stored: Capsule | null): Draft {
  const base = merge_mode === 'preserve' && stored ? preserve(stored, capsule) : capsule;
  return session_end_snapshot ? overlaySnapshot(base, session_end_snapshot) : base;
}

/** "Lifecycle transitions run after the merge." */
function moving(capsule: Capsule, { lifecycle_transition: transition, superseded_by }: UpsertRequest): Capsule {
  if (!transition) return capsule;
  const { thread_descriptor } = capsule;
  if (!thread_descriptor) throw conflict('there is no thread_descriptor to move', { transition });
  return { ...capsule, thread_descriptor: moved(thread_descriptor, { transition, superseded_by }) };
}
