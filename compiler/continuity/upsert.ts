import type { Capsule } from '../schema/continuity/capsule.ts';
import type { Draft } from '../schema/continuity/draft.ts';
import type { UpsertAnswer, UpsertRequest } from '../schema/continuity/upsert.ts';
import { sha256 } from '../trust/canonical.ts';
import { complete, encode } from './capsule/check.ts';
import { checkClocks, checkConfirmations, checkNewer } from './capsule/clock.ts';
import { checkMove, moved, unmoved } from './capsule/lifecycle-machine.ts';
import { overlaySnapshot, preserve } from './capsule/merge.ts';
import { conflict, damaged, invalid } from './capsule/refusals.ts';
import { stampEntries } from './capsule/stamp.ts';
import { isAdequate } from './capsule/state-of.ts';
import { loadActive, loadFallback } from './stored/load.ts';
import { messageFor, persist, type MakeFallback } from './stored/persist.ts';
import type { Change, Occasion, SubjectFiles } from './stored/subject.ts';

/**
 * `POST /v1/continuity/upsert`: stores a capsule, whole or merged with what is stored. The same capsule again changes
 * nothing; a different one has to be strictly newer.
 *
 * @throws VadeError `capsule_invalid`, `capsule_stale`, `capsule_conflict`; `capsule_damaged` if there is nothing to merge with
 */
export function upsert(
  request: UpsertRequest,
  files: SubjectFiles,
  { now }: Occasion,
  makeFallback?: MakeFallback,
): Change<UpsertAnswer> {
  checkRequest(request, now);
  const stored = storedFor(request, files);
  const { capsule: given, normalizations_applied } = complete(merged(request, stored));
  const placedCapsule = withLifecycle(given, stored, request);
  const capsule = stampEntries(placedCapsule, stored ?? lastKnown(files), now);
  const bytes = encode(capsule);
  const isSame = stored !== null && files.active?.equals(bytes) === true;
  if (stored && !isSame) checkNewer(capsule.updated_at, stored.updated_at);
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
      normalizations_applied: [...normalizations_applied],
      recovery_warnings,
      ...(capsule.thread_descriptor?.lifecycle && { lifecycle: capsule.thread_descriptor.lifecycle }),
      ...(request.session_end_snapshot && {
        session_end_snapshot_applied: true,
        resume_quality: { adequate: isAdequate(capsule) },
      }),
    },
  };
}

function checkRequest(request: UpsertRequest, now: number): void {
  const { subject_kind, subject_id, capsule, session_end_snapshot: snapshot } = request;
  if (capsule.subject_kind !== subject_kind || capsule.subject_id !== subject_id)
    throw invalid('capsule.subject_id', 'the capsule is of another subject than the request');
  checkMove(request.lifecycle_transition, request.superseded_by, subject_id);
  checkClocks(capsule, now);
  checkConfirmations(snapshot?.negative_decisions, 'session_end_snapshot.negative_decisions', now);
  checkConfirmations(snapshot?.rationale_entries, 'session_end_snapshot.rationale_entries', now);
}

/** The stored capsule; null if there is none, or if a whole new one replaces what cannot be read. */
function storedFor({ merge_mode }: UpsertRequest, { active, path }: SubjectFiles): Capsule | null {
  if (active === null) return null;
  const loaded = loadActive(active);
  if (loaded.ok) return loaded.value;
  if (merge_mode === 'preserve') throw damaged(path, loaded.reason);
  return null;
}

/** Where the active capsule is lost, its fallback still knows since when its entries are there. */
function lastKnown({ fallback }: SubjectFiles): Capsule | null {
  const loaded = loadFallback(fallback);
  return loaded.ok ? loaded.value : null;
}

/** The draft over what is stored, and the session-end snapshot over both. */
function merged({ capsule, merge_mode, session_end_snapshot }: UpsertRequest, stored: Capsule | null): Draft {
  const base = merge_mode === 'preserve' && stored ? preserve(stored, capsule) : capsule;
  return session_end_snapshot ? overlaySnapshot(base, session_end_snapshot) : base;
}

/** "Lifecycle transitions run after the merge." Without one the stored lifecycle stays, whatever the draft says. */
function withLifecycle(capsule: Capsule, stored: Capsule | null, request: UpsertRequest): Capsule {
  const { lifecycle_transition: transition, superseded_by } = request;
  const { thread_descriptor } = capsule;
  if (!thread_descriptor) {
    if (transition) throw conflict('there is no thread_descriptor to move', { transition });
    return capsule;
  }
  const kept = unmoved(thread_descriptor, stored?.thread_descriptor);
  return { ...capsule, thread_descriptor: transition ? moved(kept, { transition, superseded_by }) : kept };
}
