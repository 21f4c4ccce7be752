import type { ScheduleSettings } from '../../compiler/continuity/schema/schedule/settings.ts';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { SCHEDULE } from './schedule/format.ts';
import { readSchedule, type ScheduleReading } from './schedule/schedule-reader.ts';
import type { Schedule } from './schedule/schedule.ts';
import { fileAt, readRecords } from './state/record-file.ts';
import { ownerPlaceOf } from './store/place.ts';
import { keepOpen } from './thread/kept-open.ts';
import type { WriterThread } from './thread/start-writer.ts';

export interface SchedulesOptions {
  readonly root: string;
  readonly settings: ScheduleSettings;
  readonly thread: () => WriterThread;
  /** Called with what went wrong and was survived. */
  readonly onTrouble: (reason: string) => void;
}

interface Reader {
  readonly schedule: ScheduleReading;
  readonly isCurrent: () => boolean;
  readonly end: () => void;
}

/** Schedules: changed by the thread that writes, read here, since that takes less than the way to the thread. */
export function openSchedules({
  root,
  settings,
  thread,
  onTrouble,
}: SchedulesOptions): Schedule & { readonly end: () => void } {
  const readers = keepOpen<Reader>();
  const reading = <T>(owner: string, read: (schedule: ScheduleReading) => T): T => {
    try {
      return read(readers.take(owner, () => openReader(ownerPlaceOf(root, owner).schedule)).schedule);
    } catch (error) {
      readers.forget(owner);
      if (error instanceof VadeError || error instanceof NoSchedule) throw error;
      onTrouble(messageOf(error));
      throw new VadeError('continuity_unavailable', 'the schedule cannot be read now; retry');
    }
  };
  const read: Schedule['read'] = async (owner, now, ask) => {
    try {
      return { found: reading(owner, ask), warnings: [] };
    } catch (error) {
      if (!(error instanceof NoSchedule)) throw error;
    }
    const { wasMissing } = await thread().schedule(owner, null, { now, actor: '' });
    return { found: reading(owner, ask), warnings: wasMissing ? ['schedule_db_missing'] : [] };
  };
  const change: Schedule['change'] = async (owner, command, occasion) => {
    const { change: outcome, wasMissing } = await thread().schedule(owner, command, occasion);
    if (outcome === null) throw new VadeError('internal', 'a command has an outcome');
    return { change: outcome, warnings: wasMissing ? ['schedule_db_missing'] : [] };
  };
  return { read, change, settings, end: readers.end };
}

/** There is no schedule yet, or none of this version. */
class NoSchedule extends Error {}

function openReader(path: string): Reader {
  const file = fileAt(path);
  const db = readRecords(path, SCHEDULE);
  if (db === null) throw new NoSchedule('no schedule');
  return { schedule: readSchedule(db), isCurrent: () => fileAt(path) === file, end: () => void db.close() };
}
