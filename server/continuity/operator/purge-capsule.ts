import { existsSync } from 'node:fs';
import { VadeError } from '../../../compiler/schema/errors.ts';
import { CAPSULES } from '../capsules/layout.ts';
import { COORDINATION, coordinationPath } from '../coordination/format.ts';
import { SCHEDULE } from '../schedule/format.ts';
import type { SubjectName } from '../state/files.ts';
import { openRecords, type RecordFormat } from '../state/record-file.ts';
import { purgeSubject, type Purged, type PurgeOptions } from '../store/purge.ts';
import { asUnavailable, ownPlace } from './owners.ts';

/**
 * The erased data, or the data that would be erased: of the history, of what crossed to other agents, and of the
 * schedule.
 */
export interface PurgedEverywhere extends Purged {
  readonly handoffs: number;
  readonly items: number;
}

type PurgeCapsuleOptions = Omit<PurgeOptions, 'layout'>;

/**
 * Erases a subject from the history of its owner, and the handoffs and items of it, while servers may run. The history
 * comes last: a second run after a kill still finds it.
 *
 * @throws capsule_not_found, continuity_unavailable, repository_unreadable, git_unavailable
 */
export async function purgeCapsule(subject: SubjectName, options: PurgeCapsuleOptions): Promise<PurgedEverywhere> {
  const { root, owner, dryRun } = options;
  const { schedule } = ownPlace(root, owner);
  try {
    const named = { owner, kind: subject.kind, id: subject.id };
    const handoffs = eraseRows(coordinationPath(root), HANDOFFS, named, dryRun);
    const items = eraseRows(schedule, ITEMS, named, dryRun);
    return { ...(await purgeHistory(subject, options, handoffs + items > 0)), handoffs, items };
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Rows of a database that are about a subject: `@kind` and `@id`, of `@owner`. */
interface RowsOfSubject {
  readonly format: RecordFormat;
  readonly from: string;
}

/** Handoffs of a subject by its owner, in any version. */
const HANDOFFS: RowsOfSubject = {
  format: COORDINATION,
  from: `artefacts WHERE seq IN (SELECT a.seq FROM artefacts a JOIN parties p ON p.artefact = a.seq
    JOIN versions v ON v.artefact = a.seq AND v.version = a.version
    WHERE a.kind = 'handoff' AND p.peer = @owner AND p.role = 'owner'
    AND v.body ->> '$.source_selector.subject_kind' = @kind AND v.body ->> '$.source_selector.subject_id' = @id)`,
};

/** Items that name a subject; a thread and a task have a place of their own in an item too. */
const namedIn = (field: (name: string) => string) =>
  `${field('subject_kind')} = @kind AND ${field('subject_id')} = @id
  OR @kind = 'thread' AND ${field('thread_id')} = @id OR @kind = 'task' AND ${field('task_id')} = @id`;

/** Those that name it now, or did when they were created, which an item keeps. */
const ITEMS: RowsOfSubject = {
  format: SCHEDULE,
  from: `items WHERE ${namedIn((it) => it)} OR ${namedIn((it) => `create_identity_json ->> '$.${it}'`)}`,
};

/**
 * Erases rows of a file that may not exist.
 *
 * @returns how many were erased, or would be
 * @throws continuity_unusable, Error if the file cannot be opened
 */
function eraseRows(
  path: string,
  { format, from }: RowsOfSubject,
  named: Readonly<Record<'owner' | 'kind' | 'id', string>>,
  dryRun: boolean,
): number {
  if (!existsSync(path)) return 0;
  const db = openRecords(path, format);
  try {
    if (dryRun) return db.prepare(`SELECT 1 FROM ${from}`).all(named).length;
    const { changes } = db.prepare(`DELETE FROM ${from}`).run(named);
    // deleted pages are overwritten, but the log of changes still has them
    db.pragma('wal_checkpoint(TRUNCATE)');
    return changes;
  } finally {
    db.close();
  }
}

/** @param isElsewhere whether the subject was found outside of the history, so that it need not be there too */
async function purgeHistory(subject: SubjectName, options: PurgeCapsuleOptions, isElsewhere: boolean): Promise<Purged> {
  try {
    return await purgeSubject(subject, { ...options, layout: CAPSULES });
  } catch (error) {
    const isGone = error instanceof VadeError && error.code === 'capsule_not_found' && isElsewhere;
    if (!isGone) throw error;
    return { commits: 0, versions: 0, unreadable: 0, backups: [] };
  }
}
