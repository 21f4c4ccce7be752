import { realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { orNull } from '../../schema/or-null.ts';
import { pathsWithin, realOf } from './paths-within.ts';

/** Skills in a working tree, by their folders, as facts name them. */
export interface SkillPlaces {
  readonly has: (folder: string) => boolean;
  /** The name by which the host itself lists it; null where its file is read. */
  readonly listedName: (folder: string) => string | null;
}

/**
 * Looks for skills in a working tree. Only the path of a `SKILL.md` is looked at, and one that a link leads out of the
 * tree is not there.
 *
 * @param listed the folder whose skills the host lists; absent if it lists none
 */
export function skillPlaces(tree: string, listed: string | undefined): SkillPlaces {
  const top = realOf(tree);
  const fileIn = (folder: string) => {
    const file = orNull(() => realpathSync.native(join(top, folder, 'SKILL.md')));
    return file !== null && pathsWithin(top, [file]).length > 0 ? file : null;
  };
  return {
    has: (folder) => fileIn(folder) !== null,
    listedName: (folder) => {
      const name = basename(folder);
      const isListed = listed !== undefined && fileIn(folder) !== null && fileIn(join(listed, name)) === fileIn(folder);
      return isListed && SKILL_NAME.test(name) ? name : null;
    },
  };
}

/** Any other name would have to be quoted. */
const SKILL_NAME = /^[\w.-]{1,64}$/;
