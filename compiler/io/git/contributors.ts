import type { Authorship, Change, Commit } from '../../schema/source/sources.ts';

/** What a commit did to a path itself: its bytes before, one for every parent that has it, and after. */
export interface Touch {
  readonly path: string;
  readonly from: readonly string[];
  /** Null where it was deleted. */
  readonly blob: string | null;
}

/** A commit with all that it touched; of a merge, what is as in no parent. */
export interface Contribution extends Authorship {
  readonly touches: readonly Touch[];
}

/** A file without text has no writer; its id, by SHA-1 and by SHA-256. */
const EMPTY: ReadonlySet<string> = new Set([
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
]);

/**
 * Says of every change along the first-parent history who wrote it: the commits that the step brings in and that
 * touched its path, or held its bytes on their way there. The one who merged wrote what is as in no parent, and
 * answers for what nobody else brought.
 *
 * @param steps the first-parent history, oldest first, with what each changed on its first parent
 * @param brought by merge its commits, oldest first, itself last
 */
export function creditChanges(
  steps: readonly Contribution[],
  brought: ReadonlyMap<string, readonly Contribution[]>,
): Commit[] {
  const first = new Map<string, { readonly step: string; readonly by: readonly Authorship[] }>();
  return steps.map(({ touches, ...step }) => {
    const self = authorshipOf(step);
    const contributors = contributorsTo(touches, brought.get(step.id) ?? []);
    const changes = touches.map(({ path, blob }): Change => {
      const found = contributors(path);
      const by = found.length > 0 ? found : [self];
      const known = blob === null ? undefined : first.get(blob);
      if (blob !== null && !known && !EMPTY.has(blob)) first.set(blob, { step: step.id, by });
      const before = known && known.step !== step.id ? known.by : null;
      return { path, blob, ...(found.length > 0 && { by }), ...(before && { before }) };
    });
    return { ...self, changes };
  });
}

/** The commits that wrote what a step changed, by path. */
function contributorsTo(
  touches: readonly Touch[],
  brought: readonly Contribution[],
): (path: string) => readonly Authorship[] {
  if (brought.length === 0) return () => [];
  const groups = new Groups();
  for (const { path, blob } of touches) groups.join(pathNode(path), blobNode(blob));
  for (const it of brought) linkTouches(groups, it);
  // one list for all that belongs together, however many paths that is
  const writers = new Map<string, Authorship[]>();
  for (const { touches: own, ...it } of brought) {
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
 * A text goes with its path and with its bytes. What a commit takes away it may have put elsewhere with changes, which
 * nothing tells: where it does not stand as it was, all that the commit wrote may be it.
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
const blobNode = (blob: string | null): string | null => (blob === null || EMPTY.has(blob) ? null : `blob ${blob}`);

/** A commit without what it touched. */
function authorshipOf({ id, committed, authored, author, committer, coauthors }: Authorship): Authorship {
  return { id, committed, authored, author, ...(committer && { committer }), ...(coauthors && { coauthors }) };
}

/** What belongs together (union-find, with halved paths). */
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
