import type { Origin } from '../../schema/source/sources.ts';
import { chainTo, ownersOf } from './ancestry.ts';
import type { Git } from './git.ts';
import { readAncestry, readAuthorships } from './history.ts';
import { isUnwritten } from './unwritten.ts';

/** IDs of objects, one a line, below the first commit that has them. */
const OBJECTS = ['rev-list', '--objects', '--no-object-names', '--in-commit-order', '--no-walk=unsorted', '--stdin'];

/** Without a format, the line of a commit is an ID like all others. */
const NAMED_COMMITS = '--format=%%';

/**
 * Finds where blobs come from: of all commits that a commit reaches, by any parent, the first that has the blob, under
 * any path. The steps of the first-parent chain are gone through in their order, so an answer about an early step stays
 * the same, whatever is merged later. At most three calls of git; each object
 * of the history is listed once, and none is kept.
 */
export async function readOrigins(
  git: Git,
  commit: string,
  blobs: readonly string[],
): Promise<ReadonlyMap<string, Origin>> {
  const wanted = new Set(blobs.filter((it) => !isUnwritten(it)));
  if (wanted.size === 0) return new Map();
  const ancestry = await readAncestry(git, commit);
  const places = new Map(chainTo(ancestry, commit).map((id, at) => [id, at + 1]));
  const owners = ownersOf(ancestry, commit);
  const placeOf = (id: string) => places.get(owners.get(id) ?? '') ?? 0;
  const inOrder = [...ancestry.keys()].sort((a, b) => placeOf(a) - placeOf(b));
  const first = await firstWith(git, inOrder, wanted);
  const commits = await readAuthorships(git, [...new Set(first.values())]);
  return new Map(
    [...first].flatMap(([blob, id]) => {
      const by = commits.get(id);
      return by ? [[blob, { commit: by, place: placeOf(id) }] as const] : [];
    }),
  );
}

/** The first of these commits with each wanted blob; git lists an object below the first commit that has it. */
async function firstWith(
  git: Git,
  commits: readonly string[],
  wanted: ReadonlySet<string>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  let at = '';
  await git.lines([...OBJECTS, NAMED_COMMITS], `${commits.join('\n')}\n`, (line) => {
    if (line.startsWith(COMMIT)) at = line.slice(COMMIT.length);
    else if (wanted.has(line) && !found.has(line)) found.set(line, at);
  });
  return found;
}

const COMMIT = 'commit ';
