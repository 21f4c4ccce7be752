import { baseCommit, isWorktree, type WorktreePlace } from '../worktree/add-worktree.ts';
import { mergeCommits } from '../worktree/merge.ts';
import { privateGit } from '../worktree/private-git.ts';
import { runFolder } from '../worktree/run-folder.ts';
import { takeSnapshot } from '../worktree/snapshot.ts';

/** The commit of the snapshot is never kept; git takes smaller numbers for something else than seconds. */
const SOME_TIME = 1_000_000_000;

/**
 * The work of a worktree that main does not have: files that differ from its base, and that a merge would still change
 * in main. Files that the base commit ignores do not count.
 *
 * @param main a commit that has the merged work
 * @returns a sentence for people; null if nothing would be lost
 * @throws ref_not_found, repository_unreadable
 */
export async function unmergedWork(place: WorktreePlace, base: string, main: string): Promise<string | null> {
  if (!isWorktree(place)) return null;
  const run = runFolder();
  try {
    const git = await privateGit(place.repository, run.path);
    const options = { worktree: place.path, base, folder: run.path, title: 'what is left', at: SOME_TIME };
    const { changes, refusals, commit } = await takeSnapshot(git, options);
    const [refused] = refusals;
    if (refused !== undefined) return `${refused.path} cannot be committed`;
    if (changes.length === 0) return null;
    const into = await baseCommit(place.repository, main);
    const merged = await mergeCommits(git, into, commit);
    const before = (await git.text(['rev-parse', `${into}^{tree}`])).trim();
    if ('tree' in merged && merged.tree === before) return null;
    return `${changes.length} files differ from what ${main} has, such as ${changes[0]?.path ?? ''}`;
  } finally {
    run.remove();
  }
}
