import { instant } from '../../schema/primitives.ts';
import type { CapsuleDraft, Draft } from '../schema/draft.ts';
import { CLOCK_AHEAD_SECONDS } from '../schema/limits.ts';
import type { Fault } from './refusals.ts';

/** A time of the server, in UTC to the second. @param now milliseconds since 1970 */
export function timeOf(now: number): string {
  return instant(Math.floor(now / 1000));
}

/** Milliseconds since 1970 of a stored time; null if it is missing or malformed. */
export function millisecondsOf(time: unknown): number | null {
  const parsed = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(parsed) ? null : parsed;
}

/** A time that is too far ahead of the server's: it would lock its subject, or stay fresh for ever. */
export function clockFaults(time: unknown, field: string, now: number): readonly Fault[] {
  if (!isAhead(millisecondsOf(time), now)) return [];
  const message = `is more than ${CLOCK_AHEAD_SECONDS} seconds ahead of the server's clock, which says ${timeOf(now)}`;
  return [{ field, message, more: { server_time: timeOf(now) } }];
}

/** Whether a time can only come from a clock that was ahead. @param now milliseconds since 1970 */
export function isAhead(at: number | null, now: number): boolean {
  return at !== null && at > now + CLOCK_AHEAD_SECONDS * 1000;
}

/** Of every time that an agent says itself. `freshness.expires_at` is meant to lie ahead. */
export function draftClockFaults(draft: CapsuleDraft, now: number): readonly Fault[] {
  const times: [string, unknown][] = [
    ['updated_at', draft.updated_at],
    ['verified_at', draft['verified_at']],
    ['verification_state.last_revalidated_at', member(draft['verification_state'], 'last_revalidated_at')],
    ['capsule_health.last_checked_at', member(draft['capsule_health'], 'last_checked_at')],
  ];
  const lists: [string, unknown][] = [
    ['stable_preferences', draft['stable_preferences']],
    ['continuity.negative_decisions', member(draft['continuity'], 'negative_decisions')],
    ['continuity.rationale_entries', member(draft['continuity'], 'rationale_entries')],
  ];
  return [
    ...times.flatMap(([field, time]) => clockFaults(time, field, now)),
    ...lists.flatMap(([field, list]) => confirmationFaults(list, field, now)),
  ];
}

/** Of `last_confirmed_at` of the entries of a list. */
export function confirmationFaults(list: unknown, field: string, now: number): readonly Fault[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry, at) =>
    clockFaults(member(entry, 'last_confirmed_at'), `${field}.${at}.last_confirmed_at`, now),
  );
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Draft)[key] : undefined;
}
