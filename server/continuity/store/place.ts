import { join } from 'node:path';
import type { StorePlace } from '../git/repository.ts';

/** The files of one owner's store, below the folder of all owners. */
export interface OwnerPlace extends StorePlace {
  readonly owner: string;
  /** A copy of git's data. */
  readonly state: string;
  /** The items of the schedule; nothing else has them. */
  readonly schedule: string;
  /** The processes that have the store open. */
  readonly present: string;
}

/** @param owner a name that is safe in a path */
export function ownerPlaceOf(root: string, owner: string): OwnerPlace {
  const at = join(root, owner);
  return {
    owner,
    folder: `${at}.git`,
    avoid: root,
    state: `${at}.db`,
    schedule: `${at}.schedule.db`,
    present: `${at}.present`,
  };
}
