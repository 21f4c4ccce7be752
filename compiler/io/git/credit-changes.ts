import type { Authorship, Change, Commit } from '../../schema/source/sources.ts';
import { isPlaceholder } from './unwritten.ts';

/** A change of a path by a commit: the blobs before, one for every parent that has the path, and the blob after. */
export interface Touch {
  readonly path: string;
  readonly from: readonly string[];
  /** Null if it was deleted. */
  readonly blob: string | null;
}

/** A commit with all changes; of a merge, only those that differ from every parent. */
export interface Contribution extends Authorship {
  readonly touches: readonly Touch[];
}

/**
 * Finds the authors of every change of the first-parent history: the merged commits that changed its path, or that had
 * its bytes at another path. The author of a merge is the author of the differences from every parent, and of changes
 * that no merged commit made.
 *
 * @param steps the first-parent history, oldest first, with the changes to the first parent
 * @param merged for each merge its commits, oldest first, the merge itself last
 */
export function creditChanges(
  steps: readonly Contribution[],
  merged: ReadonlyMap<string, readonly Contribution[]>,
): Commit[] {
  const first = new Map<string, { readonly step: string; readonly by: readonly Authorship[] }>();
  return steps.map(({ touches, ...step }) => {
    const self = authorshipOf(step);
    const contributors = contributorsTo(touches, merged.get(step.id) ?? []);
    const changes = touches.map(({ path, blob }): Change => {
      const found = contributors(path);
      const by = found.length > 0 ? found : [self];
      const known = blob === null ? undefined : first.get(blob);
      if (blob !== null && !known && !isPlaceholder(blob)) first.set(blob, { step: step.id, by });
      const before = known && known.step !== step.id ? known.by : null;
      return { path, blob, ...(found.length > 0 && { by }), ...(before && { before }) };
    });
    return { ...self, changes };
  });
}

/** The commits that are authors of a step's changes, by path. */
function contributorsTo(
  touches: readonly Touch[],
  merged: readonly Contribution[],
): (path: string) => readonly Authorship[] {
  if (merged.length === 0) return () => [];
  const groups = new Groups();
  for (const { path, blob } of touches) groups.join(pathNode(path), blobNode(blob));
  for (const it of merged) linkTouches(groups, it);
  // paths of one group share one list
  const writers = new Map<string, Authorship[]>();
  for (const { touches: own, ...it } of merged) {
    const self = authorshipOf(it);
    for (const group of new Set(own.map(({ path }) => groups.of(pathNode(path))))) {
      const known = writers.get(group);
      if (known) known.push(self);
      else writers.set(group, [self]);
    }
  }
  return (path) => writers.get(groups.of(pathNode(path))) ?? [];
}

/**
 * A text is followed by its path and by its bytes. A commit that deletes a file may have moved it with changes, which
 * git does not record: if the old bytes are nowhere, any file that the commit wrote may contain the text.
 */
function linkTouches(groups: Groups, { id, touches }: Contribution): void {
  for (const { path, blob } of touches) groups.join(pathNode(path), blobNode(blob));
  const gone = new Set(touches.flatMap(({ blob, from }) => (blob === null ? from : [])));
  const put = new Set(touches.flatMap(({ blob }) => blob ?? []));
  const lost = touches.filter(({ blob, from }) => blob === null && !from.some((it) => put.has(it)));
  if (lost.length === 0) return;
  const written = touches.filter(({ blob }) => blob !== null && !gone.has(blob));
  for (const { path } of [...lost, ...written]) groups.join(pathNode(path), `moved ${id}`);
}

const pathNode = (path: string): string => `path ${path}`;
const blobNode = (blob: string | null): string | null => (blob === null || isPlaceholder(blob) ? null : `blob ${blob}`);

/** A commit without its changes. */
function authorshipOf({ id, committed, authored, author, committer, coauthors }: Authorship): Authorship {
  return { id, committed, authored, author, ...(committer && { committer }), ...(coauthors && { coauthors }) };
}

/** Groups of nodes (union-find with path halving). */
class Groups {
  readonly #up = new Map<string, string>();

  of(node: string): string {
    let at = node;
    for (let up = this.#up.get(at); up !== undefined && up !== at; up = this.#up.get(at)) {
      const above = this.#up.get(up) ?? up;
      this.#up.set(at, above);
      at = above;
    }
    return at;
  }

  join(one: string, other: string | null): void {
    if (other === null) return;
    const a = this.of(one);
    const b = this.of(other);
    if (a !== b) this.#up.set(a, b);
  }
}
