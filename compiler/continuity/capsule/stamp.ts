import { canonicalJson } from '../../trust/canonical.ts';
import type { Capsule } from '../schema/capsule.ts';
import { timeOf } from './clock.ts';

interface Entry {
  created_at?: string | undefined;
  updated_at?: string | undefined;
  last_confirmed_at?: string | undefined;
}

/**
 * Sets the times of entries that the system manages: an entry is created when its key appears, and updated when what it
 * says changes. What an agent sends for them is not kept. `last_confirmed_at` is never set here: a confirmation changes
 * nothing that an entry says, and stays as long as that does.
 *
 * @param stored the capsule before; null if there is none
 * @param now milliseconds since 1970
 */
export function stampEntries(capsule: Capsule, stored: Capsule | null, now: number): Capsule {
  const time = timeOf(now);
  const { continuity } = capsule;
  const known = stored?.continuity;
  return {
    ...capsule,
    stable_preferences: stamped(capsule.stable_preferences, stored?.stable_preferences, (it) => it.tag, time),
    continuity: {
      ...continuity,
      negative_decisions: stamped(continuity.negative_decisions, known?.negative_decisions, (it) => it.decision, time),
      rationale_entries: stamped(continuity.rationale_entries, known?.rationale_entries, (it) => it.tag, time),
    },
  };
}

function stamped<T extends Entry>(list: T[], stored: readonly T[] = [], keyOf: (it: T) => string, time: string): T[] {
  const known = new Map(stored.map((it) => [keyOf(it), it]));
  return list.map((entry) => {
    const before = known.get(keyOf(entry));
    if (before === undefined || contentOf(before) !== contentOf(entry))
      return { ...entry, created_at: before?.created_at ?? time, updated_at: time };
    const { created_at = time, updated_at = time, last_confirmed_at: confirmed } = before;
    const last_confirmed_at = entry.last_confirmed_at ?? confirmed;
    return { ...entry, created_at, updated_at, ...(last_confirmed_at !== undefined && { last_confirmed_at }) };
  });
}

/** The content of an entry, without its times. */
function contentOf({ created_at: _created, updated_at: _updated, last_confirmed_at: _, ...content }: Entry): string {
  return canonicalJson(content);
}
