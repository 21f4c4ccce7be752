import { z } from 'zod';

/** A setting in the environment of an operator. */
const setting = (given: number, least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'write a whole number')
    .transform(Number)
    .pipe(z.int().min(least).max(most))
    .prefault(String(given));

/** The settings of an operator: "exactly" these three, with their names, ranges and defaults. */
export const SCHEDULE_ENVIRONMENT = {
  COGNIRELAY_SCHEDULE_DUE_LIMIT: setting(10, 1, 100),
  COGNIRELAY_SCHEDULE_UPCOMING_LIMIT: setting(5, 0, 100),
  COGNIRELAY_SCHEDULE_UPCOMING_WINDOW_HOURS: setting(72, 1, 720),
};

/** Size of the part of a schedule that an agent sees beside its capsules; parsed from an environment. */
export const ScheduleSettings = z.object(SCHEDULE_ENVIRONMENT).transform((it) => ({
  dueLimit: it.COGNIRELAY_SCHEDULE_DUE_LIMIT,
  upcomingLimit: it.COGNIRELAY_SCHEDULE_UPCOMING_LIMIT,
  upcomingWindowHours: it.COGNIRELAY_SCHEDULE_UPCOMING_WINDOW_HOURS,
}));

export type ScheduleSettings = Readonly<z.output<typeof ScheduleSettings>>;
