import { VadeError } from '../../schema/errors.ts';
import type { BranchCommit } from '../../schema/source/sources.ts';
import type { Git } from './git.ts';
import { readRange } from './history.ts';
import { namedCommit } from './named-commit.ts';
import { commitAt, commitsAt } from './objects.ts';

/** The usual targets of pull requests, in the order in which they are tried. */
const TRUNKS = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

/**
 * The commits of the branch that ends with a commit, oldest first: those that `base` does not have. The default of
 * `base` is the trunk; for a commit of the trunk it is its first parent if it is a merge, else `fallback`.
 *
 * @throws ref_not_found, argument_invalid
 */
export async function readBranch(
  git: Git,
  commit: string,
  base: string | null,
  fallback: string | null,
): Promise<BranchCommit[]> {
  if (base !== null) {
    const found = await namedCommit(git, base, 'base');
    if (found === null) throw new VadeError('ref_not_found', `${base} is not a commit of this repository`);
    return readRange(git, commit, found);
  }
  const names = [...TRUNKS, `${commit}^2`, `${commit}^1`];
  const found = await commitsAt(git, names);
  for (const trunk of found.slice(0, TRUNKS.length)) {
    const commits = trunk === null ? [] : await readRange(git, commit, trunk);
    if (commits.length > 0) return commits;
  }
  const [merged, first] = found.slice(TRUNKS.length);
  const end = merged ? first : fallback && (await commitAt(git, fallback));
  return end ? readRange(git, commit, end) : [];
}
