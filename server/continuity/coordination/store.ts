import {
  applyChange,
  type ArtefactChange,
  type ChangedArtefact,
} from '../../../compiler/continuity/coordination/change.ts';
import { openRecords, readRecords } from '../state/record-file.ts';
import { judged } from '../store/judged.ts';
import { artefactWriter, readArtefacts, type ArtefactReading } from './artefact-table.ts';
import type { ArtefactPage } from './coordination.ts';
import { COORDINATION, coordinationPath } from './format.ts';

/** The artefacts, opened for writing by one process of perhaps several. */
export interface ArtefactStore {
  /** Returns once the change survives a loss of power. @throws what the verb throws, Error */
  readonly change: (change: ArtefactChange) => ChangedArtefact;
  readonly end: () => void;
}

/** @param root folder of all owners. @throws continuity_unavailable, Error if it cannot be opened */
export function openArtefacts(root: string): ArtefactStore {
  const db = openRecords(coordinationPath(root), COORDINATION);
  const { find } = readArtefacts(db);
  const write = artefactWriter(db);
  // the version that a verb judges is the one that it replaces: no other process writes in between
  const change = db.transaction((asked: ArtefactChange) => {
    const changed = judged(() => applyChange(asked, find));
    if (changed.isChanged) write(changed.artefact, asked.now);
    return changed;
  });
  return { change: (asked) => change.immediate(asked), end: () => void db.close() };
}

/** The artefacts, for reading; without a file there are none. */
export interface ArtefactReader extends ArtefactReading {
  readonly end: () => void;
}

const NONE: ArtefactPage = { artefacts: [], total: 0 };

/** Opens the file once there is one. @param root folder of all owners */
export function readerOfArtefacts(root: string): ArtefactReader {
  let opened: { readonly reading: ArtefactReading; readonly end: () => void } | null = null;
  const reading = (): ArtefactReading | null => {
    if (opened === null) {
      const db = readRecords(coordinationPath(root), COORDINATION);
      opened = db && { reading: readArtefacts(db), end: () => void db.close() };
    }
    return opened?.reading ?? null;
  };
  return {
    find: (id, version) => reading()?.find(id, version) ?? null,
    list: (filter) => reading()?.list(filter) ?? NONE,
    end: () => {
      opened?.end();
      opened = null;
    },
  };
}
