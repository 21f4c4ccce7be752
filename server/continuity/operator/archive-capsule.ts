import { archive } from '../../../compiler/continuity/archive.ts';
import type { ArchiveAnswer, ArchiveRequest } from '../../../compiler/continuity/schema/removal.ts';
import { refuseSecrets } from '../capsules/secrets.ts';
import { reading, writing } from './owners.ts';
import type { View } from './read-capsules.ts';

/** The author of the archive, for the history. */
const AUTHOR = 'operator';

/** The archive that was, or would be, made. */
export interface ArchivedCapsule {
  readonly archive_path: string;
  /** Null in a dry run. */
  readonly commit: string | null;
}

/**
 * Takes a capsule out of use, and keeps it, while servers may run.
 *
 * @throws capsule_not_found, capsule_damaged, secret_refused, continuity_unavailable
 */
export async function archiveCapsule(
  { root, now }: View,
  owner: string,
  request: ArchiveRequest,
  dryRun: boolean,
): Promise<ArchivedCapsule> {
  await refuseSecrets(request);
  const subject = { kind: request.subject_kind, id: request.subject_id };
  if (dryRun) {
    const files = await reading(root, owner, (reader) => reader.held(subject));
    return { archive_path: archive(request, files, { now, owner }).answer.archive_path, commit: null };
  }
  const { answer, commit } = await writing(root, owner, (store) =>
    store.mutate({ subject, verb: 'archive', request, now, author: AUTHOR, key: null }),
  );
  return { archive_path: (answer as ArchiveAnswer).archive_path, commit };
}
