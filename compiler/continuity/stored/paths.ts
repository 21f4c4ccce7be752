import { sha256 } from '../../trust/canonical.ts';
import { SubjectKind } from '../schema/words.ts';

const FOLDER = 'memory/continuity';
const FALLBACK = `${FOLDER}/fallback`;
const ARCHIVE = `${FOLDER}/archive`;

/** Characters of a normalised id, so that every file system can name the file. */
const NAME_CHARACTERS = 120;
const SUFFIX_DIGITS = 8;

/** Paths of a subject that are looked at for its files: the plain one, and those that others may have pushed it to. */
const NAMES = 3;

/**
 * Where a subject's active capsule is: `memory/continuity/<kind>-<id>.json`. An id that normalises to the name of
 * another gets a suffix of eight hex digits; so does one that leaves nothing, such as an id in Greek. Whoever has files
 * stays where they are, also when a shorter name has become free.
 *
 * @param isTaken whether another subject has a file of this name, active, fallback or archived: a subject whose
 *   capsules are all archived keeps its name
 * @param isOwn whether the subject itself has one
 */
export function activePath(
  kind: SubjectKind,
  id: string,
  isTaken: (path: string) => boolean,
  isOwn: (path: string) => boolean = () => false,
): string {
  let free: string | null = null;
  let looked = 0;
  for (const path of pathsOf(kind, id)) {
    if (isOwn(path)) return path;
    if (!isTaken(path)) free ??= path;
    looked += 1;
    if (free !== null && looked >= NAMES) break;
  }
  return free ?? '';
}

/** Names that are tried before a file counts as another subject's; so many collisions of one name never happen. */
const MOST_NAMES = 16;

/** Whether a subject's active capsule may be at a path: only the content of a file tells whether it is. */
export function mayBeAt(path: string, kind: SubjectKind, id: string): boolean {
  let looked = 0;
  for (const name of pathsOf(kind, id)) {
    if (name === path) return true;
    looked += 1;
    if (looked >= MOST_NAMES) break;
  }
  return false;
}

/** The kind of the subject that a file's name tells; null for a name of no kind. */
export function kindAt(path: string): SubjectKind | null {
  const [, kind] = /\/([a-z]+)-[^/]*$/.exec(path) ?? [];
  return SubjectKind.options.find((it) => it === kind) ?? null;
}

/** The names that a subject may have, the best first; without end. */
function* pathsOf(kind: SubjectKind, id: string): Generator<string> {
  const name = normalised(id);
  if (name !== '') yield `${FOLDER}/${kind}-${name}.json`;
  for (let attempt = 0; ; attempt++) {
    const digits = sha256(attempt === 0 ? id : `${attempt}:${id}`).slice(0, SUFFIX_DIGITS);
    yield `${FOLDER}/${kind}-${name === '' ? digits : `${name}-${digits}`}.json`;
  }
}

/** Lower-case letters, digits and `._-`; the kind that comes before it keeps `..` from naming a folder. */
function normalised(id: string): string {
  const name = id
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-');
  return name
    .replace(/^-+|-+$/g, '')
    .slice(0, NAME_CHARACTERS)
    .replace(/-+$/, '');
}

/** Path of the fallback of an active path. */
export function fallbackPath(active: string): string {
  return active.replace(FOLDER, FALLBACK);
}

/** The active path that a fallback belongs to. */
export function activeOf(fallback: string): string {
  return fallback.replace(FALLBACK, FOLDER);
}

/**
 * Where an active capsule goes when it is archived: its name and the second. A second archive of the same second gets
 * a number.
 *
 * @param now milliseconds since 1970
 */
export function archivePath(active: string, now: number, isTaken: (path: string) => boolean): string {
  const second = new Date(now)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');
  const stem = `${active.replace(FOLDER, ARCHIVE).replace(/\.json$/, '')}-${second}`;
  let path = `${stem}.json`;
  for (let number = 2; isTaken(path); number++) path = `${stem}-${number}.json`;
  return path;
}

/** The state of the artefact at a path of the store. */
export type ArtifactState = 'active' | 'fallback' | 'archived';

/** The state of the artefact at a path of the store; null if it is none of its files. */
export function stateAt(path: string): ArtifactState | null {
  if (!path.startsWith(`${FOLDER}/`) || !path.endsWith('.json')) return null;
  if (path.startsWith(`${FALLBACK}/`)) return 'fallback';
  if (path.startsWith(`${ARCHIVE}/`)) return 'archived';
  return path.slice(FOLDER.length + 1).includes('/') ? null : 'active';
}
