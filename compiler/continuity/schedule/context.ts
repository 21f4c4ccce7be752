import type { ScheduleContext, ScheduleWarning } from '../schema/schedule/answers.ts';
import type { StoredItem } from '../schema/schedule/item.ts';
import type { ScheduleSettings } from '../schema/schedule/settings.ts';
import type { SubjectKind } from '../schema/words.ts';
import { itemAt } from './item.ts';

/** Items of some subjects, each list by the time they are due at, with one more than is shown where there are more. */
export interface FoundItems {
  readonly due: readonly StoredItem[];
  readonly upcoming: readonly StoredItem[];
  readonly warnings: readonly ScheduleWarning[];
}

/** A search in a schedule, in seconds since 1970; of each list, at most so many items and one more. */
export interface DueQuery {
  readonly subjects: readonly { readonly subject_kind: SubjectKind; readonly subject_id: string }[];
  readonly now: number;
  readonly until: number;
  readonly due: number;
  readonly upcoming: number;
}

/** Query for what is due for some subjects now and until the end of the window. @param now milliseconds since 1970 */
export function dueQuery(subjects: DueQuery['subjects'], settings: ScheduleSettings, now: number): DueQuery {
  const seconds = Math.floor(now / 1000);
  return {
    subjects,
    now: seconds,
    until: seconds + settings.upcomingWindowHours * 3600,
    due: settings.dueLimit,
    upcoming: settings.upcomingLimit,
  };
}

/** `schedule_context` of a startup view and of a retrieval. */
export function scheduleContext(found: FoundItems, settings: ScheduleSettings, now: number): ScheduleContext {
  const listed = (items: readonly StoredItem[], most: number) => {
    const shown = items.slice(0, most).map((it) => itemAt(it, now));
    return { items: shown, count: shown.length, truncated: items.length > most };
  };
  return {
    due: listed(found.due, settings.dueLimit),
    upcoming: { window_hours: settings.upcomingWindowHours, ...listed(found.upcoming, settings.upcomingLimit) },
    warnings: [...found.warnings],
  };
}
