import type { Namespace } from '../../schema/source/key-file.ts';
import { MOST_TASKS } from '../schema/graph/caps.ts';
import type { TaskLinks } from '../schema/graph/graph.ts';
import type { GraphFailure } from '../schema/graph/warnings.ts';
import type { SubjectKind } from '../schema/words.ts';
import type { SubjectFiles } from '../stored/subject.ts';
import { isTaskPath } from './task-links.ts';

/** The subject that a graph is about. */
export interface GraphAnchor {
  readonly kind: 'thread' | 'task';
  readonly subject_id: string;
}

/** The files of a store that link subjects. */
export interface GraphSources {
  /** Of every task of the owner. */
  readonly tasks: readonly TaskLinks[];
  /** Of the anchor. */
  readonly files: SubjectFiles;
  /** Why the sources cannot be read; null if they can. */
  readonly failure: GraphFailure | null;
}

/** The parts of the sources that a caller may see. */
export interface GraphAccess {
  readonly mayRead: (namespace: Namespace) => boolean;
  /** Whether the fallback replaces an active capsule that is lost. */
  readonly allowFallback: boolean;
}

/** The first of some subjects that can be an anchor; else the kind of the first subject. */
export function anchorAmong(
  subjects: readonly { readonly subject_kind: SubjectKind; readonly subject_id: string }[],
): GraphAnchor | { readonly unsupported: SubjectKind | null } {
  for (const { subject_kind: kind, subject_id } of subjects)
    if (kind === 'thread' || kind === 'task') return { kind, subject_id };
  return { unsupported: subjects[0]?.subject_kind ?? null };
}

const FOLDERS: readonly (readonly [folder: string, namespace: Namespace])[] = [
  ['tasks', 'tasks'],
  ['memory/continuity', 'continuity'],
  ['memory/schedule', 'schedule'],
  ['memory/coordination', 'coordination'],
];

/** The namespace that a path of the repository belongs to; null for one of no namespace. */
export function namespaceOf(path: string): Namespace | null {
  const plain = path.split('/').filter((it) => it !== '' && it !== '.');
  const place = `${plain.join('/')}/`;
  return FOLDERS.find(([folder]) => place.startsWith(`${folder}/`))?.[1] ?? null;
}

/**
 * Why nothing can be derived from the files of tasks and what is misplaced: a file is where a folder belongs, or there
 * are too many. The folders of a fresh repository are missing too, and that is no failure.
 *
 * @param paths of the files
 */
export function failureIn(paths: readonly string[]): GraphFailure | null {
  if (paths.some((it) => it === 'memory' || it === 'memory/continuity')) return 'continuity_root_missing';
  if (paths.some((it) => !isTaskPath(it))) return 'task_root_missing';
  return paths.length > MOST_TASKS ? 'source_limit_exceeded' : null;
}
