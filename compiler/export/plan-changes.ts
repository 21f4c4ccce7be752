import type { Owner } from './provenance.ts';

/** The action of an export on one file. */
export type FileAction = 'create' | 'update' | 'remove' | 'unchanged' | 'foreign';

export interface PlannedFile {
  readonly path: string;
  readonly action: FileAction;
}

/** A file that is there already; its owner is null if somebody else wrote it. */
export interface PresentFile {
  readonly bytes: Buffer | null;
  /** As it was written, whatever a checkout made of it; null if it is no text of an export. */
  readonly text: string | null;
  readonly owner: Owner | null;
}

/**
 * The changes that an export has to make. Files of others, and of other agents, are `foreign`: they are never written.
 * A file of an earlier export that the agent no longer has is removed.
 *
 * @param present all files at the paths of `wanted`, and all others that may be of an earlier export
 */
export function planChanges(
  wanted: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, PresentFile>,
  owner: Owner,
): PlannedFile[] {
  const written = [...wanted].map(([path, text]) => ({ path, action: actionOf(text, present.get(path), owner) }));
  const stale = [...present].filter(([path, it]) => !wanted.has(path) && isOwn(it, owner));
  const all: PlannedFile[] = [...written, ...stale.map(([path]) => ({ path, action: 'remove' }) as const)];
  return all.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function actionOf(text: string, present: PresentFile | undefined, owner: Owner): FileAction {
  if (present === undefined) return 'create';
  if (!isOwn(present, owner)) return 'foreign';
  return present.text === text ? 'unchanged' : 'update';
}

function isOwn({ owner }: PresentFile, { target, deployment, agent }: Owner): boolean {
  return owner?.target === target && owner.deployment === deployment && owner.agent === agent;
}
