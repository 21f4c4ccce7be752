import { canonicalJson } from '../trust/canonical.ts';
import { timeOf } from './capsule/clock.ts';
import type { ArchiveEnvelope } from './schema/envelopes.ts';
import type { ArchiveAnswer, ArchiveRequest } from './schema/removal.ts';
import { archivePath, fallbackPath } from './stored/paths.ts';
import { messageFor } from './stored/persist.ts';
import { requireActive } from './stored/resolve.ts';
import type { SubjectChange, Occasion, SubjectFiles } from './stored/subject.ts';

/**
 * `POST /v1/continuity/archive`: moves the active capsule into an envelope. Its fallback goes too, because it would
 * bring back at the next start what was put aside.
 *
 * @throws VadeError `capsule_not_found`, `capsule_damaged`
 */
export function archive(
  request: ArchiveRequest,
  files: SubjectFiles,
  { now, owner }: Occasion,
): SubjectChange<ArchiveAnswer> {
  const capsule = requireActive(files);
  const path = archivePath(files.path, now, (it) => files.archives.has(it));
  const envelope: ArchiveEnvelope = {
    schema_type: 'continuity_archive_envelope',
    schema_version: '1.0',
    archived_at: timeOf(now),
    archived_by: owner,
    reason: request.reason,
    active_path: files.path,
    capsule,
  };
  const writes = new Map<string, Buffer | null>([
    [path, Buffer.from(canonicalJson(envelope))],
    [files.path, null],
  ]);
  if (files.fallback) writes.set(fallbackPath(files.path), null);
  return {
    writes,
    message: messageFor('archive', request.subject_kind, request.subject_id, null),
    answer: { ok: true, path: files.path, durable: true, recovery_warnings: [], archived: true, archive_path: path },
  };
}
