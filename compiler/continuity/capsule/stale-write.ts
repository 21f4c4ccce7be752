import { VadeError } from '../../schema/errors.ts';
import { isAhead, millisecondsOf } from './clock.ts';

/**
 * Refuses a write that is not strictly newer than what is stored. What was stored while a clock was ahead does not
 * count: nobody could be later until that day has come.
 *
 * @param now milliseconds since 1970
 */
export function checkNewer(incoming: string, stored: string, now: number): void {
  const given = millisecondsOf(incoming);
  const known = millisecondsOf(stored);
  if (known === null || given === null || given > known || isAhead(known, now)) return;
  throw new VadeError('capsule_stale', `updated_at has to be later than the stored one, ${stored}`, {
    updated_at: incoming,
    stored_updated_at: stored,
  });
}

/** The later of two times; a stored one that cannot be read, or that a clock ahead made, is none. */
export function laterOf(sent: string, stored: string, now: number): string {
  const known = millisecondsOf(stored);
  if (known === null || isAhead(known, now)) return sent;
  return known > (millisecondsOf(sent) ?? known) ? stored : sent;
}
