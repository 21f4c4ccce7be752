import { instant } from '../../schema/primitives.ts';
import { LEGACY_VERSION, SCHEMA_VERSION } from '../schema/capsule.ts';
import type { Draft } from '../schema/draft.ts';
import { UtcTime } from '../schema/text.ts';

/**
 * A stored capsule of an older release in the form of this one: "timestamp repair or structured-entry field upgrade",
 * and nothing else. A payload from before the form was stable keeps what it lacks, so that it is refused.
 */
export function upgraded(stored: Draft): Draft {
  const version = stored['schema_version'] ?? LEGACY_VERSION;
  const updated_at = repaired(stored['updated_at']);
  const upgrade = (list: unknown): unknown =>
    Array.isArray(list) ? list.map((it: unknown) => upgradedEntry(it, updated_at)) : list;
  return {
    ...stored,
    ...(version === LEGACY_VERSION && { schema_version: SCHEMA_VERSION }),
    ...present({ updated_at, verified_at: repaired(stored['verified_at']) }),
    ...upgradedTimes(stored),
    ...present({ stable_preferences: upgrade(stored['stable_preferences']) }),
    ...(isDraft(stored['continuity']) && { continuity: upgradedState(stored['continuity'], upgrade) }),
  };
}

/** Members of a capsule that have a time of their own. */
const TIMED = { freshness: 'expires_at', verification_state: 'last_revalidated_at', capsule_health: 'last_checked_at' };

function upgradedTimes(stored: Draft): Draft {
  const upgrades = Object.entries(TIMED).flatMap(([name, time]) => {
    const member = stored[name];
    return isDraft(member) ? [[name, { ...member, ...present({ [time]: repaired(member[time]) }) }] as const] : [];
  });
  return Object.fromEntries(upgrades);
}

function upgradedState(state: Draft, upgrade: (list: unknown) => unknown): Draft {
  const lists = {
    negative_decisions: upgrade(state['negative_decisions']),
    rationale_entries: upgrade(state['rationale_entries']),
  };
  return { ...state, ...present(lists) };
}

/** `set_at` became `created_at` and `updated_at`; an entry without either has the times of its capsule. */
function upgradedEntry(entry: unknown, updated_at: unknown): unknown {
  if (!isDraft(entry)) return entry;
  const { set_at, ...rest } = entry;
  const first = repaired(set_at) ?? updated_at;
  const times = {
    created_at: entryTime(rest['created_at']) ?? entryTime(first),
    updated_at: entryTime(rest['updated_at']) ?? entryTime(first),
    last_confirmed_at: entryTime(rest['last_confirmed_at']),
  };
  return present({ ...rest, ...times });
}

/** A time in UTC; what is no time at all stays as it is, so that its age is unknown rather than zero. */
function repaired(time: unknown): unknown {
  if (typeof time !== 'string' || UtcTime.safeParse(time).success) return time;
  // ISO times of older releases: a space for the T, no zone, or the zone of a machine
  const iso = time.trim().replace(' ', 'T');
  const parsed = Date.parse(/(Z|[+-]\d\d:?\d\d)$/.test(iso) ? iso : `${iso}Z`);
  return Number.isNaN(parsed) ? time : instant(Math.floor(parsed / 1000));
}

/** A time as entries have it, with a Z; undefined if it is none. */
function entryTime(time: unknown): string | undefined {
  const iso = repaired(time);
  if (typeof iso !== 'string' || !UtcTime.safeParse(iso).success) return undefined;
  return iso.replace(/\+00:00$/, 'Z');
}

function present(members: Draft): Draft {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
