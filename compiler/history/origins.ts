import type { Change, Commit, Origin, Sources } from '../schema/source/sources.ts';

/**
 * Names the origin of every change of a history: who first brought the same bytes in, at a path outside the sources or
 * in a commit whose text was not taken. One walk through the whole history.
 */
export async function traceOrigins(
  sources: Pick<Sources, 'origins' | 'places'>,
  commits: readonly Commit[],
): Promise<readonly Commit[]> {
  const blobs = new Set(commits.flatMap(({ changes }) => changes.flatMap(({ blob }) => blob ?? [])));
  const origins = await sources.origins([...blobs].sort());
  const places = await sources.places();
  return commits.map((commit) => {
    const changes = commit.changes.map((change) => withOrigin(commit, change, origins, places.get(commit.id) ?? 0));
    return changes.every((it, at) => it === commit.changes[at]) ? commit : { ...commit, changes };
  });
}

/** An origin that is not known already, and is in an earlier step: one of the step itself is among its own commits. */
function withOrigin(commit: Commit, change: Change, origins: ReadonlyMap<string, Origin>, place: number): Change {
  const origin = change.blob === null ? undefined : origins.get(change.blob);
  if (!origin || origin.place >= place) return change;
  const known = [commit, ...(change.by ?? []), ...(change.before ?? [])];
  return known.some(({ id }) => id === origin.commit.id) ? change : { ...change, origin: origin.commit };
}
