import type { ScheduleChange, ScheduleCommand } from '../../../compiler/continuity/schedule/command.ts';
import type { ScheduleOccasion } from '../../../compiler/continuity/schedule/item.ts';
import type { ScheduleWarning } from '../../../compiler/continuity/schema/schedule/answers.ts';
import type { ScheduleSettings } from '../../../compiler/continuity/schema/schedule/settings.ts';
import type { ScheduleReading } from './schedule-reader.ts';

/** The result of a command. */
export interface ScheduleChanged {
  readonly change: ScheduleChange;
  readonly warnings: ScheduleWarning[];
}

/** The schedules of all owners; nothing in them acts by itself. */
export interface Schedule {
  /** @throws what the command throws, secret_refused, continuity_unavailable */
  readonly change: (owner: string, command: ScheduleCommand, occasion: ScheduleOccasion) => Promise<ScheduleChanged>;
  /**
   * Reads the schedule of an owner, and makes an empty one if there is none.
   *
   * @param now milliseconds since 1970
   * @throws continuity_unavailable
   */
  readonly read: <T>(
    owner: string,
    now: number,
    read: (schedule: ScheduleReading) => T,
  ) => Promise<{ readonly found: T; readonly warnings: ScheduleWarning[] }>;
  readonly settings: ScheduleSettings;
}
