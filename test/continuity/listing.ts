import { ARCHIVE_DAYS, list, summaryOf } from '../../compiler/continuity/list.ts';
import { ListRequest, type CapsuleRow, type ListAnswer } from '../../compiler/continuity/schema/list.ts';
import { fallbackPath } from '../../compiler/continuity/stored/paths.ts';
import type { SubjectFiles } from '../../compiler/continuity/stored/subject.ts';
import { NOW, stored, type Json } from './capsules.ts';

/** In seconds. */
export const DAY = 86_400;

/** A list of these rows. */
export const listed = (rows: readonly CapsuleRow[], more: object = {}, now = NOW) =>
  list(ListRequest.parse(more), { rows, unreadable: [] }, { now, archiveDays: ARCHIVE_DAYS });

/** The rows that an index has of a subject. */
export function rowsOf(files: SubjectFiles): CapsuleRow[] {
  const all: [string, Buffer | null][] = [
    [files.path, files.active],
    [fallbackPath(files.path), files.fallback],
    ...files.archives,
  ];
  return all.flatMap(([path, bytes]) => (bytes ? [summaryOf(path, bytes)] : [])).filter((it) => it !== null);
}

/** The rows of a thread. */
export const threadOf = (id: string, descriptor: Json = {}, more: Json = {}, state: Json = {}) =>
  rowsOf(stored({ subject_id: id, thread_descriptor: { label: id, ...descriptor }, ...more }, state));

export const idsOf = (answer: ListAnswer) => answer.capsules.map((it) => it.subject_id);
