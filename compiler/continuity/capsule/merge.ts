import type { Capsule } from '../schema/capsule.ts';
import type { CapsuleDraft, Draft } from '../schema/draft.ts';
import { REQUIRED_LISTS } from '../schema/state.ts';
import type { SessionEndSnapshot } from '../schema/upsert.ts';

/** Null says the same as absent for what every capsule has: keep what is stored. */
const REQUIRED = ['verified_at', 'source', 'confidence', 'continuity'] as const;

/**
 * Preserve mode: what the draft lacks is kept. Null clears what is optional. An empty list of the five required ones
 * keeps the stored one, so such a list is only emptied by a patch or by replace mode.
 */
export function preserve(stored: Capsule, draft: CapsuleDraft): Draft {
  const given = without(draft, (key, value) => value === null && isOf(REQUIRED, key));
  return {
    ...stored,
    ...given,
    continuity: preserveState(stored.continuity, memberOf(draft, 'continuity') ?? {}),
    ...preserveDescriptor(stored, draft),
  };
}

function preserveState(stored: Draft, draft: Draft): Draft {
  const keeps = (key: string, value: unknown): boolean =>
    isOf(REQUIRED_LISTS, key) ? value === null || isEmpty(value) : key === 'stance_summary' && value === null;
  return { ...stored, ...without(draft, keeps) };
}

/** A descriptor that is there is merged by its members; null clears it. */
function preserveDescriptor(stored: Capsule, draft: CapsuleDraft): Draft {
  const given = memberOf(draft, 'thread_descriptor');
  return given === null ? {} : { thread_descriptor: { ...stored.thread_descriptor, ...given } };
}

/**
 * The session-end snapshot over a capsule: its P0 fields always override, its P1 fields unless they are null. It is as
 * explicit as the agent can be, so it overrides preserved values too.
 */
export function overlaySnapshot(capsule: Draft, snapshot: SessionEndSnapshot): Draft {
  const given = without(snapshot, (_key, value) => value === null || value === undefined);
  return { ...capsule, continuity: { ...(memberOf(capsule, 'continuity') ?? {}), ...given } };
}

/** Nulls removed at every depth: they have said what they had to. Metadata is the agent's own, nulls included. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(kept.map(([key, member]) => [key, key === 'metadata' ? member : withoutNulls(member)]));
}

function memberOf(draft: Draft, key: string): Draft | null {
  const member = draft[key];
  return typeof member === 'object' && member !== null ? (member as Draft) : null;
}

function without(draft: Draft, isLeftOut: (key: string, value: unknown) => boolean): Draft {
  return Object.fromEntries(Object.entries(draft).filter(([key, value]) => !isLeftOut(key, value)));
}

const isOf = (names: readonly string[], name: string): boolean => names.includes(name);
const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
