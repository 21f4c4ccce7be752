import { CAPSULES } from './capsules/layout.ts';
import { eraseHandoffs } from './coordination/erase-handoffs.ts';
import { ownPlace } from './operator/owners.ts';
import type { SubjectName } from './state/files.ts';
import { purgeSubject, type Purged, type PurgeOptions } from './store/purge.ts';

export { archiveCapsule } from './operator/archive-capsule.ts';
export { backupStore, refuseProblems } from './operator/backup-store.ts';
export { compareCapsule, listCapsules, showCapsule } from './operator/read-capsules.ts';
export { verifyStore } from './operator/verify-store.ts';

/** What was erased, or would be: of the history, and of what crossed to other agents. */
export interface PurgedEverywhere extends Purged {
  readonly handoffs: number;
}

/**
 * Erases a subject from the history of its owner, and the handoffs of it, while servers may run.
 *
 * @throws capsule_not_found, continuity_unavailable, repository_unreadable, git_unavailable
 */
export async function purgeCapsule(
  subject: SubjectName,
  options: Omit<PurgeOptions, 'layout'>,
): Promise<PurgedEverywhere> {
  const { root, owner, dryRun } = options;
  ownPlace(root, owner);
  const purged = await purgeSubject(subject, { ...options, layout: CAPSULES });
  return { ...purged, handoffs: eraseHandoffs(root, owner, subject, dryRun) };
}
