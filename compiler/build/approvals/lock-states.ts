import { hasLockForm, lockEnd, lockedBy } from '../../capabilities/lock/schema-lock.ts';
import { hasNote } from '../../trust/consent.ts';
import type { Decisions } from './decisions.ts';
import type { FiledLock } from './filed-locks.ts';

/** Whether a lock holds, and why not: `short` of administrators. */
export type LockState = 'in_force' | 'short' | 'expired' | 'ended' | 'malformed';

/** A lock, until when it is in force at the latest, and what it is now. */
export interface JudgedLock extends FiledLock {
  /** ISO 8601. */
  readonly until: string;
  readonly state: LockState;
}

/** Everything that was ever filed about locks, judged at the time of the decisions. */
export interface LockStates {
  readonly locks: readonly JudgedLock[];
  /** What ends locks. */
  readonly ends: readonly FiledLock[];
  /** Ends that too few administrators signed. */
  readonly shortEnds: readonly FiledLock[];
}

/** Judges every lock. Administrators who signed several envelopes for the same shapes count together. */
export function lockStates({ locks: filed, threshold, at }: Pick<Decisions, 'locks' | 'threshold' | 'at'>): LockStates {
  const ends = filed.filter((it) => it.approval.kind === 'schema_unlock' && hasNote(it));
  const ended = lockedBy(
    ends.flatMap(({ approval, by }) => (approval.sources ?? []).map((value) => ({ value, by }))),
    threshold,
  );
  const early = filed.filter(({ approval }) => approval.kind === 'schema_lock').map((it) => stateBefore(it, ended, at));
  const open = early.filter(({ state }) => state === 'in_force');
  const held = lockedBy(
    open.map(({ approval, by }) => ({ value: approval.value, by })),
    threshold,
  );
  const isShort = ({ state, approval, by }: JudgedLock) =>
    state === 'in_force' && (by.length === 0 || !held.has(approval.value));
  return {
    locks: early.map((it) => (isShort(it) ? { ...it, state: 'short' } : it)),
    ends,
    shortEnds: ends.filter(({ approval }) => approval.sources?.every((it) => !ended.has(it))),
  };
}

/** The locks that an administrator may end: also those that lack signatures. */
export function openLocks(states: LockStates): JudgedLock[] {
  return states.locks.filter(({ state }) => state === 'in_force' || state === 'short');
}

/** What a lock is, before it is known how many administrators gave it. */
function stateBefore(lock: FiledLock, ended: ReadonlyMap<string, unknown>, at: string): JudgedLock {
  const until = lockEnd(lock.approval.expires, lock.filed);
  const state = (): LockState => {
    if (!hasLockForm(lock.approval)) return 'malformed';
    if (ended.has(lock.id)) return 'ended';
    return Date.parse(until) <= Date.parse(at) ? 'expired' : 'in_force';
  };
  return { ...lock, until, state: state() };
}
