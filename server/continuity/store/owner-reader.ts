import { existsSync } from 'node:fs';
import { fileIdentity } from '../../../compiler/io/files/file.ts';
import { isDamaged } from '../../../compiler/io/files/sqlite.ts';
import { readTip } from '../git/repository.ts';
import { readFiles, type HeldFiles, type Layout, type ListedFile, type SubjectName } from '../state/files.ts';
import { isStillAt, readRecords } from '../state/record-file.ts';
import { STATE } from '../state/state-schema.ts';
import { requireKnown } from '../state/store-format.ts';
import { ownerPlaceOf } from './place.ts';

/** Reads the store of one owner without git. */
export interface OwnerReader {
  /** Null if the copy does not show the tip of the repository: it has to follow first. */
  readonly held: (subject: SubjectName) => HeldFiles | null;
  /** The same of several, as of one instant. */
  readonly heldAll: (subjects: readonly SubjectName[]) => readonly HeldFiles[] | null;
  /** The same from a copy that may be behind. */
  readonly heldBehind: (subjects: readonly SubjectName[]) => readonly HeldFiles[] | null;
  /** Whether there is a copy at all. */
  readonly hasCopy: boolean;
  /** Null likewise. */
  readonly list: (withFallbacks: boolean) => readonly ListedFile[] | null;
  /** Null likewise. */
  readonly links: (most: number) => readonly ListedFile[] | null;
  /** Whether the copy that is open is that of its path. */
  readonly isCurrent?: () => boolean;
  readonly end: () => void;
}

/** Of an owner whose copy is not there. */
const NO_COPY: OwnerReader = {
  held: () => null,
  heldAll: () => null,
  heldBehind: () => null,
  hasCopy: false,
  list: () => null,
  links: () => null,
  end: () => undefined,
};

/** @param owner a name that is safe in a path. @throws Error if what is there cannot be opened, or not be understood */
export function openReader(root: string, owner: string, layout: Layout): OwnerReader {
  const { folder, state } = ownerPlaceOf(root, owner);
  if (!existsSync(folder)) return emptyReader(folder, layout);
  const isCurrent = isStillAt(state);
  const db = readRecords(state, STATE);
  if (db === null) return NO_COPY;
  const files = readFiles(db, layout);
  const tip = db.prepare("SELECT value FROM meta WHERE name = 'tip'").pluck();
  // the tip and the files of one instant
  const reading = <T>(read: () => T): T | null => {
    const at = db.transaction(() => {
      const shown = (tip.get() as string | undefined) ?? null;
      requireKnown(files.format(), owner, shown === null);
      return { tip: shown, found: read() };
    })();
    return at.tip === readTip(folder) ? at.found : null;
  };
  return {
    held: (subject) => reading(() => files.of(subject)),
    heldAll: (subjects) => reading(() => subjects.map(files.of)),
    heldBehind: (subjects) => db.transaction(() => subjects.map(files.of))(),
    hasCopy: true,
    list: (withFallbacks) => reading(() => files.list(withFallbacks)),
    links: (most) => reading(() => files.links(most)),
    isCurrent,
    end: () => void db.close(),
  };
}

/** The result of reading a copy; `found` is null if it is behind, or cannot be read. */
export interface ReadCopy<T> {
  readonly found: T | null;
  /** The identity of a damaged copy, which has to be made again; null for any other. */
  readonly damaged: string | null;
}

/** Reads a copy. @param state its path */
export function resultOf<T>(state: string, read: () => T | null): ReadCopy<T> {
  try {
    return { found: read(), damaged: null };
  } catch (error) {
    return { found: null, damaged: isDamaged(error) ? fileIdentity(state) : null };
  }
}

/** Of an owner who has written nothing; behind as soon as somebody writes. */
function emptyReader(folder: string, { homeOf }: Layout): OwnerReader {
  const unlessWritten = <T>(empty: T): T | null => (existsSync(folder) ? null : empty);
  const nothing = { active: null, fallback: null, archives: new Map() };
  const heldOf = (subject: SubjectName) => ({ ...nothing, path: homeOf(subject, () => null) });
  return {
    held: (subject) => unlessWritten(heldOf(subject)),
    heldAll: (subjects) => unlessWritten(subjects.map(heldOf)),
    heldBehind: () => null,
    hasCopy: false,
    list: () => unlessWritten([]),
    links: () => unlessWritten([]),
    end: () => undefined,
  };
}
