import {
  applyChange,
  type ArtefactChange,
  type ChangedArtefact,
} from '../../../compiler/continuity/coordination/change.ts';
import { keepOpen } from '../state/kept-open.ts';
import { isStillAt, openRecords, readRecords } from '../state/record-file.ts';
import { judged } from '../store/judged.ts';
import { artefactWriter, readArtefacts, type ArtefactReading } from './artefact-table.ts';
import type { ArtefactPage } from './coordination.ts';
import { COORDINATION, coordinationPath } from './format.ts';

/** The artefacts, opened for writing by one process of perhaps several. */
export interface ArtefactStore {
  /** Returns once the change survives a loss of power. @throws what the verb throws, Error */
  readonly change: (change: ArtefactChange) => ChangedArtefact;
  /** Whether the file that is open is that of its path. */
  readonly isCurrent: () => boolean;
  readonly end: () => void;
}

/** @param root folder of all owners. @throws continuity_unusable, Error if it cannot be opened */
export function openArtefacts(root: string): ArtefactStore {
  const path = coordinationPath(root);
  const db = openRecords(path, COORDINATION);
  const { find } = readArtefacts(db);
  const write = artefactWriter(db);
  // the version that a verb judges is the one that it replaces: no other process writes in between
  const change = db.transaction((asked: ArtefactChange) => {
    const changed = judged(() => applyChange(asked, find));
    if (changed.isChanged) write(changed.artefact, asked.now);
    return changed;
  });
  return { change: (asked) => change.immediate(asked), isCurrent: isStillAt(path), end: () => void db.close() };
}

/** The artefacts, for reading; without a file there are none. */
export interface ArtefactReader extends ArtefactReading {
  readonly end: () => void;
}

const NONE: ArtefactPage = { artefacts: [], total: 0 };

/** Opens the file once there is one, and again where another lies in its place. @param root folder of all owners */
export function readerOfArtefacts(root: string): ArtefactReader {
  const path = coordinationPath(root);
  const readers = keepOpen<OpenArtefacts>();
  const read = <T>(none: T, work: (reading: ArtefactReading) => T): T =>
    readers.use(
      root,
      () => openReading(path),
      ({ reading }) => (reading === null ? none : work(reading)),
    );
  return {
    find: (id, version) => read(null, (it) => it.find(id, version)),
    list: (filter) => read(NONE, (it) => it.list(filter)),
    end: readers.end,
  };
}

interface OpenArtefacts {
  /** Null without a file. */
  readonly reading: ArtefactReading | null;
  readonly isCurrent: () => boolean;
  readonly end: () => void;
}

function openReading(path: string): OpenArtefacts {
  const isCurrent = isStillAt(path);
  const db = readRecords(path, COORDINATION);
  // one without tables yet gets them in this very file
  if (db === null) return { reading: null, isCurrent: () => false, end: () => undefined };
  return { reading: readArtefacts(db), isCurrent, end: () => void db.close() };
}
