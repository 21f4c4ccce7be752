import type { ScheduleSettings } from '../../compiler/continuity/schema/schedule/settings.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { SCHEDULE } from './schedule/format.ts';
import { readSchedule, type ScheduleReading } from './schedule/schedule-reader.ts';
import type { Schedule } from './schedule/schedule.ts';
import { keepOpen } from './state/kept-open.ts';
import { isStillAt, readRecords } from './state/record-file.ts';
import { refusalOf } from './state/refusal.ts';
import { ownerPlaceOf } from './store/place.ts';
import type { WriterThread } from './thread/start-writer.ts';

export interface SchedulesOptions {
  readonly root: string;
  readonly settings: ScheduleSettings;
  readonly thread: () => WriterThread;
  /** Called with what went wrong and was survived. */
  readonly onTrouble: (error: unknown) => void;
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
    const open = () => openReader(ownerPlaceOf(root, owner).schedule);
    try {
      return readers.use(owner, open, (it) => read(it.schedule));
    } catch (error) {
      throw error instanceof NoSchedule ? error : refusalOf(error, 'schedule', onTrouble);
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
  const isCurrent = isStillAt(path);
  const db = readRecords(path, SCHEDULE);
  if (db === null) throw new NoSchedule('no schedule');
  return { schedule: readSchedule(db), isCurrent, end: () => void db.close() };
}
