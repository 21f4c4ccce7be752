import { clockFaults } from './capsule/clock.ts';
import { FIRST_LIFECYCLE, moved, moveFaults } from './capsule/lifecycle-machine.ts';
import { conflict, refuse } from './capsule/refusals.ts';
import type { LifecycleAnswer, LifecycleRequest } from './schema/patch.ts';
import { changeableBefore, storeChanged } from './stored/change-active.ts';
import { messageFor, type MakeFallback } from './stored/persist.ts';
import type { SubjectChange, Occasion, SubjectFiles } from './stored/subject.ts';

/**
 * `POST /v1/continuity/lifecycle`: moves a thread or a task. "Only mutates lifecycle, superseded_by, and updated_at."
 *
 * @throws VadeError `capsule_not_found`, `capsule_stale`, `capsule_invalid`; `capsule_conflict` if it cannot move there
 */
export function changeLifecycle(
  request: LifecycleRequest,
  files: SubjectFiles,
  { now }: Occasion,
  makeFallback?: MakeFallback,
): SubjectChange<LifecycleAnswer> {
  const { transition, superseded_by, updated_at } = request;
  refuse([...moveFaults(transition, superseded_by, request.subject_id), ...clockFaults(updated_at, 'updated_at', now)]);
  const stored = changeableBefore(files, updated_at, now);
  if (!stored.thread_descriptor) throw conflict('there is no thread_descriptor to move', { transition });
  const thread_descriptor = moved(stored.thread_descriptor, { transition, superseded_by });
  const capsule = { ...stored, updated_at, thread_descriptor };
  const { writes, capsule_sha256, recovery_warnings } = storeChanged(files, capsule, now, makeFallback);
  return {
    writes,
    message: messageFor(transition, request.subject_kind, request.subject_id, request.commit_message),
    answer: {
      ok: true,
      path: files.path,
      durable: true,
      recovery_warnings,
      lifecycle: thread_descriptor.lifecycle ?? FIRST_LIFECYCLE,
      previous_lifecycle: stored.thread_descriptor.lifecycle ?? FIRST_LIFECYCLE,
      capsule_sha256,
    },
  };
}
