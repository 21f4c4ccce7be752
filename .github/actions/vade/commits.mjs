// The commits of a pull request, in the clone of its job.
import { spawnSync } from 'node:child_process';
import { Stop } from './job.mjs';

const COMMIT = /^[0-9a-f]{40}([0-9a-f]{24})?$/;

/** The output of git, or null if it fails. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return status === 0 ? stdout : null;
}

/**
 * The commit that a pull request is compared with. GitHub checks out what a merge would make: its first parent is the
 * base as it is now. Without such a commit, it is where the branch began.
 */
export function baseOf({ pull_request: pull, merge_group: group }) {
  refuseShallow();
  const [base, head] = group ? [group.base_sha, group.head_sha] : [pull?.base?.sha, pull?.head?.sha];
  if (!COMMIT.test(base) || !COMMIT.test(head))
    throw new Stop('event_invalid', 'the event is of no pull request and of no merge queue');
  const isMerge = commit('HEAD^2') === head;
  const found = isMerge ? commit('HEAD^1') : git('merge-base', base, 'HEAD')?.trim();
  if (!found) throw new Stop('history_incomplete', `the base ${base} is not in this clone: ${FETCH_ALL}`);
  return found;
}

const FETCH_ALL = 'give actions/checkout `fetch-depth: 0`, since versions are counted in the whole history';

/** Versions count the commits that changed a unit: a clone without the older ones would number them anew. */
export function refuseShallow() {
  if (git('rev-parse', '--is-shallow-repository')?.trim() === 'true')
    throw new Stop('history_incomplete', `this clone is shallow: ${FETCH_ALL}`);
}

const commit = (name) => git('rev-parse', '--verify', '--quiet', `${name}^{commit}`)?.trim() ?? null;

/** A file at a commit; null if it is not there. */
export const fileAt = (id, path) => git('cat-file', 'blob', `${id}:${path}`);
