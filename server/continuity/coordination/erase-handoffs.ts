import { existsSync } from 'node:fs';
import type { SubjectName } from '../state/files.ts';
import { openRecords } from '../state/record-file.ts';
import { COORDINATION, coordinationPath } from './format.ts';

/** Handoffs of a subject by its owner, in any version. */
const OF_SUBJECT = `SELECT a.seq FROM artefacts a JOIN parties p ON p.artefact = a.seq
  JOIN versions v ON v.artefact = a.seq AND v.version = a.version
  WHERE a.kind = 'handoff' AND p.peer = @owner AND p.role = 'owner'
  AND v.body ->> '$.source_selector.subject_kind' = @kind AND v.body ->> '$.source_selector.subject_id' = @id`;

/**
 * Erases what crossed of a subject to other agents.
 *
 * @param root folder of all owners
 * @returns how many handoffs were erased, or would be
 * @throws continuity_unusable, Error if the file cannot be opened
 */
export function eraseHandoffs(root: string, owner: string, subject: SubjectName, dryRun: boolean): number {
  const path = coordinationPath(root);
  if (!existsSync(path)) return 0;
  const db = openRecords(path, COORDINATION);
  try {
    const of = { owner, kind: subject.kind, id: subject.id };
    if (dryRun) return db.prepare(OF_SUBJECT).all(of).length;
    const { changes } = db.prepare(`DELETE FROM artefacts WHERE seq IN (${OF_SUBJECT})`).run(of);
    // deleted pages are overwritten, but the log of changes still has them
    db.pragma('wal_checkpoint(TRUNCATE)');
    return changes;
  } finally {
    db.close();
  }
}
