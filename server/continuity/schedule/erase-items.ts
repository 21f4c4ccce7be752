import { existsSync } from 'node:fs';
import type { SubjectName } from '../state/files.ts';
import { openRecords } from '../state/record-file.ts';
import { SCHEDULE } from './format.ts';

/** Items that name a subject; a thread and a task have a place of their own in an item too. */
const namedIn = (field: (name: string) => string) =>
  `${field('subject_kind')} = @kind AND ${field('subject_id')} = @id
  OR @kind = 'thread' AND ${field('thread_id')} = @id OR @kind = 'task' AND ${field('task_id')} = @id`;

/** Those that name it now, or did when they were created, which an item keeps. */
const OF_SUBJECT = `${namedIn((it) => it)} OR ${namedIn((it) => `create_identity_json ->> '$.${it}'`)}`;

/**
 * Erases what an owner's schedule says of a subject.
 *
 * @param path file of the schedule
 * @returns how many items were erased, or would be
 * @throws continuity_unusable, Error if the file cannot be opened
 */
export function eraseItems(path: string, subject: SubjectName, dryRun: boolean): number {
  if (!existsSync(path)) return 0;
  const db = openRecords(path, SCHEDULE);
  try {
    if (dryRun) return db.prepare(`SELECT 1 FROM items WHERE ${OF_SUBJECT}`).all(subject).length;
    const { changes } = db.prepare(`DELETE FROM items WHERE ${OF_SUBJECT}`).run(subject);
    // deleted pages are overwritten, but the log of changes still has them
    db.pragma('wal_checkpoint(TRUNCATE)');
    return changes;
  } finally {
    db.close();
  }
}
