import { VadeError } from '../../schema/errors.ts';
import type { BranchCommit } from '../../schema/source/sources.ts';
import { commitAt, type Git } from './git.ts';
import { readRange } from './history.ts';

/** What a pull request is usually merged into; the first that there is. */
const TRUNKS = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

/**
 * The commits of the branch that a commit is the end of, oldest first: those that `base` does not have. Without one
 * the trunk is asked; on the trunk, the parent that its last merge was made on, and at last `fallback`.
 *
 * @throws ref_not_found
 */
export async function readBranch(
  git: Git,
  commit: string,
  base: string | null,
  fallback: string | null,
): Promise<BranchCommit[]> {
  if (base !== null) {
    const found = await commitAt(git, base);
    if (found === null) throw new VadeError('ref_not_found', `${base} is no commit of this repository`);
    return readRange(git, commit, found);
  }
  for (const ref of TRUNKS) {
    const trunk = await commitAt(git, ref);
    const commits = trunk === null ? [] : await readRange(git, commit, trunk);
    if (commits.length > 0) return commits;
  }
  const merged = (await commitAt(git, `${commit}^2`)) === null ? null : `${commit}^1`;
  const end = merged ?? fallback;
  const last = end === null ? null : await commitAt(git, end);
  return last === null ? [] : readRange(git, commit, last);
}
