import { VadeError } from '../../../compiler/schema/errors.ts';
import { CAPSULES } from '../capsules/layout.ts';
import { eraseHandoffs } from '../coordination/erase-handoffs.ts';
import { eraseItems } from '../schedule/erase-items.ts';
import type { SubjectName } from '../state/files.ts';
import { purgeSubject, type Purged, type PurgeOptions } from '../store/purge.ts';
import { asUnavailable, ownPlace } from './owners.ts';

/**
 * The erased data, or the data that would be erased: of the history, of what crossed to other agents, and of the
 * schedule.
 */
export interface PurgedEverywhere extends Purged {
  readonly handoffs: number;
  readonly items: number;
}

/**
 * Erases a subject from the history of its owner, and the handoffs and items of it, while servers may run. The history
 * comes last: a second run after a kill still finds it.
 *
 * @throws capsule_not_found, continuity_unavailable, repository_unreadable, git_unavailable
 */
export async function purgeCapsule(
  subject: SubjectName,
  options: Omit<PurgeOptions, 'layout'>,
): Promise<PurgedEverywhere> {
  const { root, owner, dryRun } = options;
  const { schedule } = ownPlace(root, owner);
  try {
    const handoffs = eraseHandoffs(root, owner, subject, dryRun);
    const items = eraseItems(schedule, subject, dryRun);
    return { ...(await purgeHistory(subject, options, handoffs + items > 0)), handoffs, items };
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** @param isElsewhere whether the subject was found outside of the history, so that it need not be there too */
async function purgeHistory(
  subject: SubjectName,
  options: Omit<PurgeOptions, 'layout'>,
  isElsewhere: boolean,
): Promise<Purged> {
  try {
    return await purgeSubject(subject, { ...options, layout: CAPSULES });
  } catch (error) {
    const isGone = error instanceof VadeError && error.code === 'capsule_not_found' && isElsewhere;
    if (!isGone) throw error;
    return { commits: 0, versions: 0, unreadable: 0, backups: [] };
  }
}
