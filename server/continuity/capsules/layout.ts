import { isTaskPath, taskLinksOf } from '../../../compiler/continuity/graph/task-links.ts';
import { summaryOf } from '../../../compiler/continuity/list.ts';
import { SubjectKind } from '../../../compiler/continuity/schema/words.ts';
import { activePath, mayBeAt, stateAt } from '../../../compiler/continuity/stored/paths.ts';
import { orNull } from '../../../compiler/schema/or-null.ts';
import type { FileNote, Layout } from '../state/files.ts';

/** Folders of the specification; a file in the place of one hides what belongs there. */
const FOLDERS = ['memory', 'memory/continuity', 'tasks', 'tasks/open', 'tasks/done'];

/** Layout of capsules in a store (compiler/continuity/stored/paths.ts), and tasks beside them. */
export const CAPSULES: Layout = {
  describe: (path, bytes) => {
    const place = stateAt(path);
    if (place === null) return besides(path);
    const json = orNull(() => JSON.parse(bytes.toString('utf8')) as unknown);
    // fallbacks and archives have their capsule in an envelope
    const capsule = place === 'active' ? json : memberOf(json, 'capsule');
    const home = homeAt(path, place, json);
    return { place, home, id: idAt(home, capsule) };
  },
  summaryOf: (path, bytes) => (isTaskPath(path) ? taskLinksOf(bytes) : summaryOf(path, bytes)),
  isOf: (home, path) => path === home || (stateAt(path) !== null && homeByName(path) === home),
  homeOf: ({ kind, id }, holder) =>
    activePath(
      SubjectKind.parse(kind),
      id,
      (path) => (holder(path) ?? id) !== id,
      (path) => holder(path) === id,
    ),
};

/** The note of a file that is no capsule but has a meaning all the same: a task, or a file in place of a folder. */
function besides(path: string): FileNote | null {
  if (isTaskPath(path)) return { place: 'task', home: path, id: '' };
  return FOLDERS.includes(path) ? { place: 'misplaced', home: path, id: '' } : null;
}

/** A damaged file belongs to the subject whose name it has. */
function homeAt(path: string, place: FileNote['place'], json: unknown): string {
  const said = place === 'archived' ? textOf(json, 'active_path') : '';
  return stateAt(said) === 'active' ? said : homeByName(path);
}

/** The id in a file, if its subject may have that name: another's content makes no subject of a name. */
function idAt(home: string, capsule: unknown): string {
  const kind = SubjectKind.safeParse(memberOf(capsule, 'subject_kind'));
  const id = textOf(capsule, 'subject_id');
  return kind.success && mayBeAt(home, kind.data, id) ? id : '';
}

/** No id ends as an archive does: in names all letters are lower-case. */
function homeByName(path: string): string {
  return path
    .replace('/fallback/', '/')
    .replace('/archive/', '/')
    .replace(/-\d{8}T\d{6}Z(-\d+)?\.json$/, '.json');
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

function textOf(value: unknown, name: string): string {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : '';
}
