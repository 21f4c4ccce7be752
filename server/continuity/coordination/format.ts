import { join } from 'node:path';
import type { RecordFormat } from '../state/record-file.ts';

/** The file of all artefacts, below the folder of all owners: an artefact belongs to several of them. */
export function coordinationPath(root: string): string {
  return join(root, 'coordination.db');
}

/**
 * The tables of artefacts. Every version is kept: a claim names the one that was read. The columns repeat what lists
 * filter by; the body is the artefact, as canonical JSON.
 */
export const COORDINATION: RecordFormat = {
  name: 'artefacts',
  remedy: 'restore one that this release has written',
  // "VCoo"
  application: 0x56436f6f,
  tables: `
CREATE TABLE artefacts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  version INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  status TEXT,
  classification TEXT,
  task_id TEXT,
  thread_id TEXT
) STRICT;
CREATE INDEX artefacts_changed ON artefacts (kind, changed_at, seq);
CREATE TABLE versions (
  artefact INTEGER NOT NULL REFERENCES artefacts (seq) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (artefact, version)
) STRICT, WITHOUT ROWID;
CREATE TABLE parties (
  peer TEXT NOT NULL,
  artefact INTEGER NOT NULL REFERENCES artefacts (seq) ON DELETE CASCADE,
  role TEXT NOT NULL,
  PRIMARY KEY (peer, artefact, role)
) STRICT, WITHOUT ROWID;
CREATE INDEX parties_artefact ON parties (artefact);
`,
};
