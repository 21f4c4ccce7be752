import { existsSync } from 'node:fs';
import { VadeError } from '../../compiler/schema/errors.ts';
import { CAPSULES } from './capsules/layout.ts';
import type { SubjectName } from './state/files.ts';
import { placeOf } from './store/place.ts';
import { purgeSubject, type Purged, type PurgeOptions } from './store/purge.ts';

export type { Purged } from './store/purge.ts';

/** A name that is safe in a path: the UUID of an agent, or `default`. */
const OWNER = /^[a-z0-9-]{1,64}$/i;

/**
 * Erases a subject from the history of its owner, while servers may run.
 *
 * @throws capsule_not_found, continuity_unavailable, repository_unreadable, git_unavailable
 */
export function purgeCapsule(subject: SubjectName, options: Omit<PurgeOptions, 'layout'>): Promise<Purged> {
  const { root, owner } = options;
  if (OWNER.test(owner) && existsSync(placeOf(root, owner).folder))
    return purgeSubject(subject, { ...options, layout: CAPSULES });
  throw new VadeError('capsule_not_found', `${root} has no store of ${owner}: owners are ids of agents, or default`);
}
