import type { Capsule } from '../../schema/continuity/capsule.ts';
import { canonicalJson } from '../../trust/canonical.ts';
import { timeOf } from './clock.ts';

interface Entry {
  created_at?: string | undefined;
  updated_at?: string | undefined;
}

/**
 * Sets the times of entries that the system manages: an entry is created when its key appears, and updated when
 * anything else of it changes. What an agent sends for them is not kept. `last_confirmed_at` is never set here.
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
    const isSame = before !== undefined && contentOf(before) === contentOf(entry);
    return {
      ...entry,
      created_at: before?.created_at ?? time,
      updated_at: isSame ? (before.updated_at ?? time) : time,
    };
  });
}

function contentOf({ created_at: _created, updated_at: _updated, ...content }: Entry): string {
  return canonicalJson(content);
}
