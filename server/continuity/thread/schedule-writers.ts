import { openScheduleWriter, type ScheduleWriter } from '../schedule/schedule-writer.ts';
import { keepOpen } from '../state/kept-open.ts';
import { ownerPlaceOf } from '../store/place.ts';
import type { ScheduleReply, WriterCalls } from './messages.ts';

/** The schedules of all owners, in the thread that writes. */
export interface ScheduleWriters {
  /** @throws what the command throws, continuity_unavailable, Error if it cannot be kept */
  readonly perform: (...args: Parameters<WriterCalls['schedule']>) => ScheduleReply;
  readonly end: () => void;
}

export function createSchedules(root: string): ScheduleWriters {
  const writers = keepOpen<ScheduleWriter>();
  const perform: ScheduleWriters['perform'] = (owner, command, occasion) => {
    let wasMissing = false;
    const open = () => {
      const writer = openScheduleWriter(ownerPlaceOf(root, owner).schedule);
      wasMissing = writer.wasMissing;
      return writer;
    };
    return writers.use(owner, open, (it) => ({ change: command && it.change(command, occasion), wasMissing }));
  };
  return { perform, end: writers.end };
}
