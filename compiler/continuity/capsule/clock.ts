import type { CapsuleDraft, Draft } from '../../schema/continuity/draft.ts';
import { CLOCK_AHEAD_SECONDS } from '../../schema/continuity/limits.ts';
import { VadeError } from '../../schema/errors.ts';
import { instant } from '../../schema/primitives.ts';
import { invalid } from './refusals.ts';

/** A time of the server, in UTC to the second. @param now milliseconds since 1970 */
export function timeOf(now: number): string {
  return instant(Math.floor(now / 1000));
}

/** Milliseconds since 1970 of a stored time; null if it is missing or malformed. */
export function millisecondsOf(time: unknown): number | null {
  const parsed = typeof time === 'string' ? Date.parse(time) : Number.NaN;
  return Number.isNaN(parsed) ? null : parsed;
}

/** Refuses a time that is too far ahead of the server's: it would lock its subject, or stay fresh for ever. */
export function checkClock(time: unknown, field: string, now: number): void {
  const at = millisecondsOf(time);
  if (at !== null && at > now + CLOCK_AHEAD_SECONDS * 1000)
    throw invalid(field, `is more than ${CLOCK_AHEAD_SECONDS} seconds ahead of the server's clock`, {
      server_time: timeOf(now),
    });
}

/** Every time that an agent says itself. `freshness.expires_at` is meant to lie ahead. */
export function checkClocks(draft: CapsuleDraft, now: number): void {
  checkClock(draft.updated_at, 'updated_at', now);
  checkClock(draft['verified_at'], 'verified_at', now);
  checkClock(member(draft['verification_state'], 'last_revalidated_at'), 'verification_state.last_revalidated_at', now);
  checkClock(member(draft['capsule_health'], 'last_checked_at'), 'capsule_health.last_checked_at', now);
  const lists: [string, unknown][] = [
    ['stable_preferences', draft['stable_preferences']],
    ['continuity.negative_decisions', member(draft['continuity'], 'negative_decisions')],
    ['continuity.rationale_entries', member(draft['continuity'], 'rationale_entries')],
  ];
  for (const [field, list] of lists) checkConfirmations(list, field, now);
}

/** `last_confirmed_at` of the entries of a list. */
export function checkConfirmations(list: unknown, field: string, now: number): void {
  if (!Array.isArray(list)) return;
  for (const [at, entry] of list.entries())
    checkClock(member(entry, 'last_confirmed_at'), `${field}.${at}.last_confirmed_at`, now);
}

/** Refuses a write that is not strictly newer than what is stored. */
export function checkNewer(incoming: string, stored: string): void {
  const given = millisecondsOf(incoming);
  const known = millisecondsOf(stored);
  if (known === null || given === null || given > known) return;
  throw new VadeError('capsule_stale', `updated_at has to be later than ${stored}, which is stored`, {
    updated_at: incoming,
    stored_updated_at: stored,
  });
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Draft)[key] : undefined;
}
